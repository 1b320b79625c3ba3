import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@sluice/core/error';
import express, { type Request, type Response } from 'express';
import { recognizeError } from '../../error/recognize-error.ts';

export const MAX_BODY_BYTES = 1_048_576;

/** For an upload of 10 MiB in base64, and the rest of its body. */
export const MAX_UPLOAD_BYTES = 14 * 1_048_576;

const readers = new Map(
  [MAX_BODY_BYTES, MAX_UPLOAD_BYTES].map((limit) => [limit, express.raw({ type: () => true, limit, inflate: false })]),
);

/**
 * Reads a request's JSON object. A missing body is an empty object, whatever the content type.
 *
 * @throws AppError `malformed_json`, `validation_failed`; what `readJsonText` throws
 */
export async function readBody(req: Request, res: Response, limit = MAX_BODY_BYTES): Promise<Record<string, unknown>> {
  const text = await readJsonText(req, res, limit);
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
export async function readJsonText(req: Request, res: Response, limit = MAX_BODY_BYTES): Promise<string | null> {
  requirePlain(req.headers);
  const readRaw = readers.get(limit);
  if (readRaw === undefined) throw new Error(`No reader of bodies has the limit ${limit}.`);
  await new Promise<void>((resolve, reject) => {
    readRaw(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(refusalOf(error, limit))));
  });
  const bytes: unknown = req.body;
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return null;
  requireJson(req.headers);
  requireBoundedJson(bytes);
  if (!isUtf8(bytes)) throw new AppError('malformed_json');
  // A byte order mark is no JSON, and some clients send one.
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function refusalOf(error: unknown, limit: number): AppError {
  const refusal = recognizeError(error);
  if (refusal.code !== 'body_too_large' || limit === MAX_BODY_BYTES) return refusal;
  return new AppError('body_too_large', { detail: `The body is larger than ${limit / 1_048_576} MiB.` });
}

/**
 * Checks the headers of a request with a body.
 *
 * @throws AppError `media_type_unsupported` unless the headers announce JSON in UTF-8 without compression
 */
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

/** Requests have a few levels; a deeper one is meant to exhaust the stack. */
const MAX_DEPTH = 33;

/** Ten times as many as the largest request has. Parsing and checking 1,000 takes a millisecond, a full MiB of them 300. */
const MAX_MEMBERS = 1_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const openers = new Set([0x7b, 0x5b]);
const closers = new Set([0x7d, 0x5d]);
const whitespace = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Counts the members (object keys and array elements) and the depth of a JSON text without parsing it. The text may be
 * invalid.
 *
 * @throws AppError `validation_failed` when there are too many members or levels
 */
export function requireBoundedJson(text: Uint8Array): void {
  let members = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let hasJustOpened = false;
  for (const byte of text) {
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) isInString = false;
      continue;
    }
    if (whitespace.has(byte)) continue;
    const closes = closers.has(byte);
    // The first member follows the opening bracket, each further one a comma.
    if (byte === COMMA || (hasJustOpened && !closes)) members += 1;
    hasJustOpened = openers.has(byte);
    if (hasJustOpened) depth += 1;
    else if (closes) depth -= 1;
    else if (byte === QUOTE) isInString = true;
    if (members > MAX_MEMBERS) {
      throw new AppError('validation_failed', {
        detail: `The body has more than ${MAX_MEMBERS} members (object keys and array elements). Send fewer.`,
      });
    }
    if (depth > MAX_DEPTH) throw new AppError('validation_failed', { detail: 'The body is nested too deeply.' });
  }
}
