import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { problemOf, publicError } from '../../error/public-error.ts';
import { recognizeError } from '../../error/recognize-error.ts';
import type { ApiLog } from '../../service/api-deps.ts';
import { compressQuickly, type Encoding, encodingFor } from './compression.ts';
import { noteInLog } from './log-notes.ts';

interface Exchange {
  readonly req: Request;
  readonly res: Response;
}

/**
 * Sends a text with an `ETag`, or 304 to a client that has it already. Not left to Express: it never answers 304 to
 * `Cache-Control: no-cache`, which every `fetch` adds to an `If-None-Match` of its caller.
 *
 * @param compress for clients that accept it: see `encodingFor`
 */
export async function sendTagged({ req, res }: Exchange, text: string, compress = compressQuickly): Promise<void> {
  const encoding = encodingFor(req, res, text);
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  res.set('ETag', encoding === null ? tag : `W/${tag}`); // a strong one would promise the same bytes
  const known = req.get('If-None-Match')?.split(',') ?? [];
  const isKnown = known.some((one) => ['*', tag, `W/${tag}`].includes(one.trim()));
  if (isKnown) res.removeHeader('Content-Type');
  if (isKnown) res.status(304).end();
  else if (encoding === null) res.send(text);
  else sendEncoded(res, await compress(text, encoding), encoding);
}

/** Sends JSON that may be compressed, with the status that the answer has already: see `encodingFor`. */
export async function sendCompressibleJson(req: Request, res: Response, json: string): Promise<void> {
  const encoding = encodingFor(req, res, json);
  if (encoding === null) return sendJson(res, json);
  res.setHeader('Content-Type', JSON_TYPE);
  sendEncoded(res, await compressQuickly(json, encoding), encoding);
}

function sendEncoded(res: Response, body: Buffer, encoding: Encoding): void {
  if (res.destroyed) return;
  res.setHeader('Content-Encoding', encoding);
  res.setHeader('Content-Length', body.length);
  res.end(body);
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends JSON with the status that the answer has already. */
export function sendJson(res: ServerResponse, json: string, type = JSON_TYPE): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', Buffer.byteLength(json));
  res.end(json);
}

const PROBLEM = /\bapplication\/problem\+json\b/;

/** Answers with what the outside may know of an error. An answer that has already begun is cut off. */
export function sendError(res: ServerResponse, thrown: unknown, requestId?: string): void {
  if (res.headersSent) {
    if (!res.writableEnded) res.destroy();
    return;
  }
  const refusal = publicError(thrown, requestId);
  const { status, headers, body } = refusal;
  noteInLog(res, { refused: body.code });
  for (const name of ['ETag', 'Set-Cookie', 'Location']) res.removeHeader(name);
  res.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.statusCode = status;
  if (!PROBLEM.test(res.req.headers.accept ?? '')) {
    sendJson(res, JSON.stringify(body));
    return;
  }
  sendJson(res, JSON.stringify(problemOf(refusal)), 'application/problem+json');
}

/** Logs errors that are the service's own fault, with everything that the answer leaves out. */
export function logFault(log: ApiLog, thrown: unknown, fields: Readonly<Record<string, unknown>>): void {
  const error = recognizeError(thrown);
  if (error.kind !== 'bug' && error.kind !== 'pipeline') return;
  log.error({ ...fields, err: error.cause ?? error }, 'a request failed');
}
