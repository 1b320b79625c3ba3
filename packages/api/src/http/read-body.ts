import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@sluice/core/error';
import express, { type Request, type Response } from 'express';
import { recognizeError } from '../error/recognize-error.ts';
import { requireBoundedJson } from './json-bounds.ts';

export const MAX_BODY_BYTES = 1_048_576;

const readRaw = express.raw({ type: () => true, limit: MAX_BODY_BYTES, inflate: false });

/**
 * Reads a request's JSON object. A missing body is an empty object, whatever the content type.
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
 * Reads a JSON body as text, once its size, depth and number of members are known to be within bounds. Null without a
 * body, whatever the content type. Text, because tRPC parses it itself and would print an object again first.
 *
 * @throws AppError `media_type_unsupported`, `malformed_json` when it is not UTF-8, `validation_failed`, `body_too_large`
 */
export async function readJsonText(req: Request, res: Response): Promise<string | null> {
  requirePlain(req.headers);
  await new Promise<void>((resolve, reject) => {
    readRaw(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(recognizeError(error))));
  });
  const bytes: unknown = req.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return null;
  requireJson(req.headers);
  requireBoundedJson(bytes);
  if (!isUtf8(bytes)) throw new AppError('malformed_json');
  // A byte order mark is no JSON, and some clients send one.
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** @throws AppError `media_type_unsupported` unless the headers announce JSON in UTF-8 without compression */
export function requireJson(headers: IncomingHttpHeaders): void {
  requirePlain(headers);
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (type.trim() !== 'application/json' || !isUtf8) throw new AppError('media_type_unsupported');
}

/** Bodies are too small for compression to pay, and what is never decompressed cannot be a bomb. */
function requirePlain({ 'content-encoding': encoding }: IncomingHttpHeaders): void {
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return;
  throw new AppError('media_type_unsupported', { detail: 'Send the body without compression.' });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('malformed_json', {}, { cause });
  }
}
