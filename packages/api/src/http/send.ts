import type { ServerResponse } from 'node:http';
import { publicError } from '../error/public-error.ts';
import { recognizeError } from '../error/recognize-error.ts';
import type { ApiLog } from '../service/api-deps.ts';

/** Sends a JSON text as the whole answer. */
export function sendJson(res: ServerResponse, status: number, json: string): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(json));
  res.end(json);
}

/** Answers with what the outside may know of an error. When the answer has begun already, it is cut off. */
export function sendError(res: ServerResponse, thrown: unknown, requestId?: string): void {
  if (res.headersSent) {
    if (!res.writableEnded) res.destroy();
    return;
  }
  const { status, headers, body } = publicError(thrown, requestId);
  for (const name of ['ETag', 'Set-Cookie', 'Location']) res.removeHeader(name);
  res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  sendJson(res, status, JSON.stringify(body));
}

/** Writes to the log what is our fault, with all that the answer leaves out. */
export function logFault(log: ApiLog, thrown: unknown, fields: Readonly<Record<string, unknown>>): void {
  const error = recognizeError(thrown);
  if (error.kind !== 'bug' && error.kind !== 'pipeline') return;
  log.error({ ...fields, err: error.cause ?? error }, 'a request failed');
}
