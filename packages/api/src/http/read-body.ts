import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@sluice/core';
import express, { type Request, type Response } from 'express';
import { requireBoundedJson } from './json-bounds.ts';

const MAX_BODY_BYTES = 1_048_576;

const readRaw = express.raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: false });

/**
 * Reads a request's JSON object. No body at all is an empty object, whatever the content type says.
 *
 * @throws AppError `malformed_json`, `validation_failed`; what `readJsonText` throws
 */
export async function readBody(req: Request, res: Response): Promise<Record<string, unknown>> {
  const text = await readJsonText(req, res);
  if (text === null) return {};
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('validation_failed', { detail: 'The body must be a JSON object.' });
  }
  return value as Record<string, unknown>;
}

/**
 * Reads the text of a JSON body that has few enough members to be parsed. Without a body it is null, whatever the
 * content type says.
 *
 * @throws AppError `media_type_unsupported`, `malformed_json` when it is not UTF-8, `validation_failed`; body-parser's
 *   error when it is too large
 */
export async function readJsonText(req: Request, res: Response): Promise<string | null> {
  requirePlain(req.headers);
  await new Promise<void>((resolve, reject) => {
    readRaw(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  const bytes: unknown = req.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return null;
  requireJson(req.headers);
  requireBoundedJson(bytes);
  return decode(bytes);
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

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError('malformed_json', {}, { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('malformed_json', {}, { cause });
  }
}
