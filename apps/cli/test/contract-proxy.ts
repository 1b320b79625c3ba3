import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { oldNames } from '@sluice/api/old-names';
import { closedDescription, type PrismViolation, prismViolations, startPrismProxy, until } from '@sluice/testing';
import { type Answer, type Asked, ask, forward, headersOf, pairs } from './forward-http.ts';
import { type OperationBook, readOperations, restCall } from './rest-call.ts';
import { toTrpcResponse } from './trpc-response.ts';

export const openapiDocument = new URL('../../../docs/openapi.json', import.meta.url);

interface Exchange {
  /** The operation in the document; null if it has none. */
  readonly operationId: string | null;
  readonly request: string;
  readonly status: number;
  readonly violations: readonly PrismViolation[];
}

/** A proxy between clients and services in which Prism checks every exchange against the document. */
export interface ContractProxy extends AsyncDisposable {
  /** The URL of the service through the proxy. */
  readonly url: string;
  /** Sets the service, once it is running. */
  forwardTo(service: string): void;
  /** The environment of a command with an embedded server, whose requests go through the proxy. */
  readonly env: Readonly<Record<string, string>>;
  /** The exchanges, in the order in which they ended. */
  readonly exchanges: readonly Exchange[];
  /** Waits until all exchanges have ended. */
  idle(): Promise<void>;
  /** The violations of the document: all those of responses, and those of requests that were not refused. */
  violations(): string[];
}

/** Whether an invalid request was refused for its violation: as malformed, or without a session. */
function isRefused(status: number, [side, ...where]: readonly string[]): boolean {
  return side === 'request' && (status === 400 || (status === 401 && where.length === 0));
}

/** The description for Prism: only what is described may be answered, and a stream is one text to it. */
function readDescription(): object {
  const document = JSON.parse(readFileSync(openapiDocument, 'utf8'), (name, value) =>
    name === 'text/event-stream' ? { schema: { type: 'string' } } : value,
  );
  return closedDescription(document);
}

/** Prism, and the server behind it. The proxies of a process share them: Prism takes seconds to start. */
interface Checker {
  readonly url: URL;
  /** The exchanges under way, by the header that identifies them. */
  readonly open: Map<string, Passage>;
}

let checker: Promise<Checker> | undefined;
let count = 0;

async function startChecker(): Promise<Checker> {
  const open = new Map<string, Passage>();
  const behind = createServer((req, res) => {
    const passage = open.get(String(req.headers[PASSAGE]));
    if (passage === undefined) return void res.writeHead(404).end(); // the check whether Prism is up
    req.resume();
    reach(passage, res).catch(passage.fault);
  }).unref();
  const prism = await startPrismProxy({ description: readDescription(), upstream: await listening(behind) });
  return { url: prism.url, open };
}

/**
 * tRPC calls of the typed client are turned into the REST request of the same operation and go through Prism, as REST requests
 * do. Streams over tRPC, and pages that are not part of the API, bypass Prism.
 *
 * Prism forwards a response only when it is complete, follows redirects itself and joins two cookies into one. So it runs
 * between two servers: the one behind it sends the request to the service and gives Prism a copy of the response; the one in
 * front of it sends the client the original response, after the check, or immediately if it is a stream.
 */
export async function startContractProxy(): Promise<ContractProxy> {
  checker ??= startChecker();
  const { url: prism, open } = await checker;
  const book = readOperations(JSON.parse(readFileSync(openapiDocument, 'utf8')));
  const exchanges: Exchange[] = [];
  const own = new Set<string>();
  const tunnels = new WeakMap<Socket, string>();
  let service = '';
  let isOver = false;
  const fault = (error: unknown) => {
    if (!isOver) console.error('contract proxy:', error); // report bugs of the test itself
  };

  const viaPrism: Front['viaPrism'] = async (passage) => {
    const { operationId, method, target, headers, body } = passage.asked;
    const id = String(++count);
    open.set(id, passage);
    own.add(id);
    let verdict: Answer;
    try {
      const told = await ask(new URL(target, prism), { method, headers: { ...headers, [PASSAGE]: id }, body });
      verdict = { status: told.statusCode ?? 0, headers: pairs(told), body: await buffer(told) };
    } finally {
      open.delete(id);
      own.delete(id);
    }
    if (passage.isLost) return null;
    const answer = passage.answer ?? verdict;
    const violations =
      passage.answer?.status === verdict.status
        ? prismViolations(new Headers([...verdict.headers]))
        : [{ location: ['response'], severity: 'Error', message: `was not checked: ${verdict.body}` }];
    exchanges.push({ operationId, request: `${method} ${target}`, status: answer.status, violations });
    return answer;
  };
  const before = createServer((req, res) => {
    const upstream = tunnels.get(req.socket) ?? service;
    serve({ book, upstream, viaPrism, fault }, req, res).catch((error: unknown) => {
      fault(error);
      res.destroy();
    });
  });
  before.keepAliveTimeout = 0; // a slow client must not find its connection closed at its next request
  before.on('connect', (req, socket: Socket, head: Buffer) => {
    tunnels.set(socket, `http://${req.url}`);
    socket.write('HTTP/1.1 200 Connected\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
    before.emit('connection', socket);
  });
  const url = await listening(before);
  return {
    url,
    env: { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: url },
    forwardTo(there) {
      service = there;
    },
    exchanges,
    idle: () => until('every exchange has ended', () => own.size === 0),
    violations: () =>
      exchanges.flatMap(({ request, status, violations }) =>
        violations
          .filter(({ location }) => !isRefused(status, location))
          .map(({ location, message }) => `${request} (${status}): ${location.join('.')} ${message}`),
      ),
    async [Symbol.asyncDispose]() {
      isOver = true;
      before.close().closeAllConnections();
    },
  };
}

async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The header that identifies an exchange to the server behind Prism. */
const PASSAGE = 'x-passage';

interface Passage {
  readonly asked: Asked & { readonly operationId: string | null; readonly target: string };
  readonly upstream: string;
  /** The response to which a stream is copied as it arrives; null if the exchange cannot be a stream. */
  readonly reader: ServerResponse | null;
  answer: Answer | null;
  /** Whether the service was unreachable, or ended before its response was complete. */
  isLost: boolean;
  /** Reports a bug of the proxy that the exchange belongs to. */
  readonly fault: (error: unknown) => void;
}

interface Front {
  readonly book: OperationBook;
  readonly upstream: string;
  readonly fault: (error: unknown) => void;
  /** The response of the service, or null if there was none. */
  viaPrism(passage: Passage): Promise<Answer | null>;
}

const API = '/api/';
const TRPC = '/api/trpc/';

/** The first names of procedures that have others now. Their operations are still called by them. */
const firstNames = new Map(Object.entries(oldNames).map(([first, now]) => [now, first]));

function operationIdOf(procedure: string): string {
  return (firstNames.get(procedure) ?? procedure).replaceAll('.', '-');
}

async function serve(
  { book, upstream, viaPrism, fault }: Front,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { method = 'GET', url: target = '/' } = req;
  const { pathname, searchParams } = new URL(target, upstream);
  if (!pathname.startsWith(API)) return forward(upstream, req, res);
  const headers = headersOf(req);
  const passage = { upstream, answer: null, isLost: false, fault };
  if (pathname.startsWith(TRPC)) {
    const operation = book.named(operationIdOf(pathname.slice(TRPC.length)));
    if (operation === null || operation.isStream) return forward(upstream, req, res);
    const text = method === 'POST' ? (await buffer(req)).toString() : (searchParams.get('input') ?? '');
    const call = restCall(operation, text === '' ? {} : JSON.parse(text));
    const { 'content-type': _, ...kept } = headers;
    const type: Record<string, string> = call.body === null ? {} : { 'content-type': 'application/json' };
    const asked = { ...call, headers: { ...kept, ...type, accept: 'application/json' } };
    const answer = await viaPrism({ ...passage, asked, reader: null });
    return give(res, answer === null ? null : toTrpcResponse(answer));
  }
  const operationId = book.at(method, pathname)?.operationId ?? null;
  const bytes = await buffer(req);
  const asked = { operationId, method, target, headers, body: bytes.length === 0 ? null : bytes };
  give(res, await viaPrism({ ...passage, asked, reader: res }));
}

/** Sends the request to the service, and its response to Prism. */
async function reach(passage: Passage, copy: ServerResponse): Promise<void> {
  const { asked, upstream, reader } = passage;
  try {
    const answer = await ask(new URL(asked.target, upstream), asked);
    const status = answer.statusCode ?? 0;
    const headers = pairs(answer);
    // Without a location Prism does not follow the redirect.
    const shown = headers.filter(([name]) => name !== 'location');
    const head = { status, headers };
    if (reader === null || answer.headers['content-type']?.startsWith('text/event-stream') !== true) {
      passage.answer = { ...head, body: await buffer(answer) };
      copy.writeHead(status, shown.flat()).end(passage.answer.body);
      return;
    }
    passage.answer = { ...head, body: Buffer.alloc(0) };
    reader.writeHead(status, headers.flat()).flushHeaders();
    copy.writeHead(status, shown.flat());
    await passOn(answer, reader, copy);
  } catch {
    passage.isLost = true;
    copy.destroy();
  }
}

/** Copies a stream as it arrives, to its end or until its reader leaves. @throws when it is truncated */
async function passOn(stream: IncomingMessage, reader: ServerResponse, copy: ServerResponse): Promise<void> {
  const leave = () => void stream.destroy();
  reader.on('close', leave);
  if (reader.destroyed) leave();
  try {
    for await (const chunk of stream) {
      reader.write(chunk);
      copy.write(chunk);
    }
  } catch (error) {
    if (!reader.destroyed) throw error;
  }
  copy.end();
}

function give(res: ServerResponse, answer: Answer | null): void {
  if (answer === null) return void res.destroy(); // as if the service were unreachable
  if (!res.headersSent) res.writeHead(answer.status, answer.headers.flat());
  res.end(answer.body);
}
