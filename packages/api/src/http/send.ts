import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { publicError } from '../error/public-error.ts';
import { recognizeError } from '../error/recognize-error.ts';
import type { ApiLog } from '../service/api-deps.ts';

/**
 * Sends a text with an `ETag`, or 304 to a client that has it already. Not left to Express: it never answers 304 to
 * `Cache-Control: no-cache`, which every `fetch` adds to an `If-None-Match` of its caller.
 */
export function sendTagged(req: Request, res: Response, text: string): void {
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  res.set('ETag', tag);
  const known = req.get('If-None-Match')?.split(',') ?? [];
  const isKnown = known.some((one) => ['*', tag, `W/${tag}`].includes(one.trim()));
  if (isKnown) res.removeHeader('Content-Type');
  if (isKnown) res.status(304).end();
  else res.send(text);
}

/** Sends JSON with the status that the answer has already. */
export function sendJson(res: ServerResponse, json: string): void {
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(json));
  res.end(json);
}

/** Answers with what the outside may know of an error. An answer that has already begun is cut off. */
export function sendError(res: ServerResponse, thrown: unknown, requestId?: string): void {
  if (res.headersSent) {
    if (!res.writableEnded) res.destroy();
    return;
  }
  const { status, headers, body } = publicError(thrown, requestId);
  for (const name of ['ETag', 'Set-Cookie', 'Location']) res.removeHeader(name);
  res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.statusCode = status;
  sendJson(res, JSON.stringify(body));
}

/** Logs errors that are the service's own fault, with everything that the answer leaves out. */
export function logFault(log: ApiLog, thrown: unknown, fields: Readonly<Record<string, unknown>>): void {
  const error = recognizeError(thrown);
  if (error.kind !== 'bug' && error.kind !== 'pipeline') return;
  log.error({ ...fields, err: error.cause ?? error }, 'a request failed');
}
