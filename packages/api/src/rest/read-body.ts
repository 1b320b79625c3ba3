import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@sluice/core';
import express, { type Request, type Response } from 'express';

export const MAX_BODY_BYTES = 1_048_576;
/** No request of ours goes deeper than a few; what goes this deep wants to exhaust somebody's stack. */
const MAX_DEPTH = 32;

const readRaw = express.raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: false });

/**
 * Reads a request's JSON object. No body at all is an empty object, whatever the content type says.
 *
 * @throws AppError `media_type_unsupported`, `malformed_json`, `validation_failed`; body-parser's error when too large
 */
export async function readBody(req: Request, res: Response): Promise<Record<string, unknown>> {
  requirePlain(req.headers);
  await new Promise<void>((resolve, reject) => {
    readRaw(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  const bytes: unknown = req.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return {};
  requireJson(req.headers);
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('validation_failed', { detail: 'The body must be a JSON object.' });
  }
  requireShallow(value);
  return value as Record<string, unknown>;
}

/** @throws AppError `media_type_unsupported` when a body is not said to be JSON in UTF-8, without compression */
export function requireJson(headers: IncomingHttpHeaders): void {
  requirePlain(headers);
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (type.trim() !== 'application/json' || !isUtf8) throw new AppError('media_type_unsupported');
}

/** Nobody sends so much that compressing it pays, and what is not decompressed can be neither broken nor a bomb. */
function requirePlain({ 'content-encoding': encoding }: IncomingHttpHeaders): void {
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return;
  throw new AppError('media_type_unsupported', { detail: 'Send the body without compression.' });
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError('malformed_json', {}, { cause });
  }
}

/** Walks level by level, so that it does not itself recurse as deep as it is meant to forbid. */
function requireShallow(value: object): void {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw new AppError('validation_failed', { detail: 'The body is nested too deeply.' });
    level = level.flatMap((one) => Object.values(one).filter((below) => typeof below === 'object' && below !== null));
  }
}
