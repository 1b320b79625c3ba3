import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type PrismViolation, prismViolations, startPrismProxy } from '@sluice/testing';
import { type OperationBook, readOperations, restCall } from './rest-call.ts';

export const openapiDocument = new URL('../../../docs/openapi.json', import.meta.url);

/** A header that says of the request for a stream that it ends by itself: only then can Prism judge it. */
export const ENDS = 'x-ends';

interface Exchange {
  /** As the document names it; null where the document has no such operation. */
  readonly operationId: string | null;
  readonly request: string;
  readonly status: number;
  readonly violations: readonly PrismViolation[];
}

/** A service behind Prism, which holds every exchange against the document. */
export interface JudgedService extends AsyncDisposable {
  readonly url: string;
  /** What passed through Prism. */
  readonly exchanges: readonly Exchange[];
}

/**
 * Stands before a service at an address of its own. Calls of the typed client, which are tRPC, become what the document
 * says of the operation of their name, and go through Prism as the REST requests do.
 *
 * Two kinds go past Prism, straight to the service: streams, because Prism passes an answer on only when it has all of
 * it, and pages that redirect a browser, because Prism follows the redirect itself. A stream whose request has the header
 * `ENDS` goes through it.
 */
export async function startJudgedService(upstream: string): Promise<JudgedService> {
  const book = readOperations(JSON.parse(readFileSync(openapiDocument, 'utf8')));
  const prism = await startPrismProxy({ description: openapiDocument, upstream });
  const exchanges: Exchange[] = [];
  const judged = async (asked: Asked): Promise<Response> => {
    const { operationId, method, target, headers, body } = asked;
    const answer = await fetch(new URL(target, prism.url), { method, headers, body, redirect: 'manual' });
    const violations = prismViolations(answer.headers);
    exchanges.push({ operationId, request: `${method} ${target}`, status: answer.status, violations });
    return answer;
  };
  const server = createServer((req, res) => {
    serve({ book, upstream, judged }, req, res).catch((error: unknown) => {
      console.error('before the service:', error); // a fault of the test's own must be seen
      res.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await prism[Symbol.asyncDispose]();
    },
  };
}

interface Asked {
  readonly operationId: string | null;
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body: BodyInit | null;
}

interface Front {
  readonly book: OperationBook;
  readonly upstream: string;
  judged(asked: Asked): Promise<Response>;
}

const TRPC = '/api/trpc/';

async function serve({ book, upstream, judged }: Front, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { method = 'GET', url: target = '/' } = req;
  const { pathname, searchParams } = new URL(target, upstream);
  if (pathname.startsWith(TRPC)) {
    const operation = book.named(pathname.slice(TRPC.length).replace('.', '-'));
    if (operation === null || operation.passesBy) return passBy(upstream, req, res);
    const text = method === 'POST' ? (await buffer(req)).toString() : (searchParams.get('input') ?? '');
    const call = restCall(operation, text === '' ? {} : JSON.parse(text));
    const headers = headersOf(req);
    headers.set('accept', 'application/json');
    headers.delete('content-type');
    if (call.body !== null) headers.set('content-type', 'application/json');
    const answer = await judged({ ...call, headers });
    const words = inTrpcWords(answer.status, await answer.text());
    res.setHeader('content-type', 'application/json');
    const status = answer.status < 400 ? 200 : answer.status;
    return send(res, { status, headers: answer.headers, body: words });
  }
  const operation = book.at(method, pathname);
  if (operation?.passesBy === true && req.headers[ENDS] === undefined) return passBy(upstream, req, res);
  const bytes = await buffer(req);
  const answer = await judged({
    operationId: operation?.operationId ?? null,
    method,
    target,
    headers: headersOf(req),
    body: bytes.length === 0 ? null : new Uint8Array(bytes),
  });
  send(res, { status: answer.status, headers: answer.headers, body: await answer.text() });
}

/** What belongs to a connection, or is counted anew for the next one. */
const ofOneHop = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'accept-encoding',
]);

function headersOf({ headers }: IncomingMessage): Headers {
  const kept = Object.entries(headers).filter(([name]) => !ofOneHop.has(name));
  return new Headers(kept.map(([name, value]) => [name, String(value)]));
}

function send(
  res: ServerResponse,
  { status, headers, body }: { status: number; headers: Headers; body: string },
): void {
  for (const [name, value] of headers) {
    if (!ofOneHop.has(name) && !res.hasHeader(name)) res.setHeader(name, value);
  }
  res.writeHead(status).end(body);
}

/** An answer of REST, as tRPC has it. */
function inTrpcWords(status: number, text: string): string {
  const body = text === '' ? undefined : JSON.parse(text);
  if (status < 400) return JSON.stringify({ result: { data: body } });
  return JSON.stringify({
    error: { message: body.detail, code: -32_000, data: { code: body.code, httpStatus: status, error: body } },
  });
}

async function passBy(upstream: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { host: _, ...headers } = req.headers;
  const through = request(new URL(req.url ?? '/', upstream), { method: req.method, headers });
  res.on('close', () => through.destroy());
  through.on('error', () => res.destroy());
  through.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  req.pipe(through);
}
