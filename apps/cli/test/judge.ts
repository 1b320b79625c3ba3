import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type PrismViolation, prismViolations, startPrismProxy, until } from '@sluice/testing';
import { inTrpcWords } from './in-trpc-words.ts';
import { type Answer, type Asked, ask, headersOf, pairs, passBy } from './one-hop.ts';
import { type OperationBook, readOperations, restCall } from './rest-call.ts';

export const openapiDocument = new URL('../../../docs/openapi.json', import.meta.url);

interface Exchange {
  /** As the document names it; null where the document has no such operation. */
  readonly operationId: string | null;
  readonly request: string;
  readonly status: number;
  readonly violations: readonly PrismViolation[];
}

/** Prism between clients and services, which holds every exchange against the document. */
export interface Judge extends AsyncDisposable {
  /** Where the service is to those who speak to it through the judge. */
  readonly url: string;
  /** Where the service is, as soon as it is there. */
  standBefore(service: string): void;
  /** The environment of a command that speaks to a server of its own: whatever it sends goes through the judge. */
  readonly env: Readonly<Record<string, string>>;
  /** What passed, in the order in which it ended. */
  readonly exchanges: readonly Exchange[];
  /** Waits until all that was asked has ended. */
  idle(): Promise<void>;
  /** What is not as the document says: of an answer always, of a request unless it was refused for that. */
  complaints(): string[];
}

/** Whether a request that is not as the document says was refused for just that: as malformed, or without a session. */
function isRefused(status: number, [side, ...where]: readonly string[]): boolean {
  return side === 'request' && (status === 400 || (status === 401 && where.length === 0));
}

/**
 * Calls of the typed client, which are tRPC, become what the document says of the operation of their name, and go through
 * Prism as the REST requests do. Past Prism go the streams of tRPC, and the pages that are no part of the API.
 *
 * Prism passes an answer on when it has all of it, follows a redirect itself and writes two cookies as one. So it stands
 * between two doors of ours: the one behind it asks the service, in the client's own words, and shows Prism a copy of the
 * answer; the one before it gives the client the answer itself, after the judgement, or, of a stream, as it comes.
 */
export async function startJudge(): Promise<Judge> {
  const book = readOperations(JSON.parse(readFileSync(openapiDocument, 'utf8')));
  const exchanges: Exchange[] = [];
  const open = new Map<string, Passage>();
  const tunnels = new WeakMap<Socket, string>();
  let service = '';
  let count = 0;
  let isOver = false;
  const fault = (error: unknown) => {
    if (!isOver) console.error('at the judge:', error); // a fault of the test's own must be seen
  };

  const behind = createServer((req, res) => {
    const passage = open.get(String(req.headers[PASSAGE]));
    if (passage === undefined) return void res.writeHead(404).end(); // whether Prism is there is asked in this way
    req.resume();
    reach(passage, res).catch(fault);
  });
  const prism = await startPrismProxy({ description: openapiDocument, upstream: await listening(behind) });

  const judged: Front['judged'] = async (passage) => {
    const { operationId, method, target, headers, body } = passage.asked;
    const id = String(++count);
    open.set(id, passage);
    let verdict: Answer;
    try {
      const told = await ask(new URL(target, prism.url), { method, headers: { ...headers, [PASSAGE]: id }, body });
      verdict = { status: told.statusCode ?? 0, headers: pairs(told), body: await buffer(told) };
    } finally {
      open.delete(id);
    }
    if (passage.isLost) return null;
    const answer = passage.answer ?? verdict;
    const violations =
      passage.answer?.status === verdict.status
        ? prismViolations(new Headers([...verdict.headers]))
        : [{ location: ['response'], severity: 'Error', message: `was not judged: ${verdict.body}` }];
    exchanges.push({ operationId, request: `${method} ${target}`, status: answer.status, violations });
    return answer;
  };
  const before = createServer((req, res) => {
    const upstream = tunnels.get(req.socket) ?? service;
    serve({ book, upstream, judged }, req, res).catch((error: unknown) => {
      fault(error);
      res.destroy();
    });
  });
  before.keepAliveTimeout = 0; // a client that is slow must not find its connection closed under its next request
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
    standBefore(there) {
      service = there;
    },
    exchanges,
    idle: () => until('every exchange has ended', () => open.size === 0),
    complaints: () =>
      exchanges.flatMap(({ request, status, violations }) =>
        violations
          .filter(({ location }) => !isRefused(status, location))
          .map(({ location, message }) => `${request} (${status}): ${location.join('.')} ${message}`),
      ),
    async [Symbol.asyncDispose]() {
      isOver = true;
      for (const server of [before, behind]) server.close().closeAllConnections();
      await prism[Symbol.asyncDispose]();
    },
  };
}

async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A header that says to the door behind Prism what it is that comes there. */
const PASSAGE = 'x-passage';

interface Passage {
  readonly asked: Asked & { readonly operationId: string | null; readonly target: string };
  readonly upstream: string;
  /** Who reads a stream as it comes; null where nobody could. */
  readonly reader: ServerResponse | null;
  answer: Answer | null;
  /** The service was not there, or was gone before its answer had ended. */
  isLost: boolean;
}

interface Front {
  readonly book: OperationBook;
  readonly upstream: string;
  /** What the service answered; null: nothing. */
  judged(passage: Passage): Promise<Answer | null>;
}

const API = '/api/';
const TRPC = '/api/trpc/';

async function serve({ book, upstream, judged }: Front, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { method = 'GET', url: target = '/' } = req;
  const { pathname, searchParams } = new URL(target, upstream);
  if (!pathname.startsWith(API)) return passBy(upstream, req, res);
  const headers = headersOf(req);
  const passage = { upstream, answer: null, isLost: false };
  if (pathname.startsWith(TRPC)) {
    const operation = book.named(pathname.slice(TRPC.length).replace('.', '-'));
    if (operation === null || operation.isStream) return passBy(upstream, req, res);
    const text = method === 'POST' ? (await buffer(req)).toString() : (searchParams.get('input') ?? '');
    const call = restCall(operation, text === '' ? {} : JSON.parse(text));
    const { 'content-type': _, ...kept } = headers;
    const type: Record<string, string> = call.body === null ? {} : { 'content-type': 'application/json' };
    const asked = { ...call, headers: { ...kept, ...type, accept: 'application/json' } };
    const answer = await judged({ ...passage, asked, reader: null });
    return give(res, answer === null ? null : inTrpcWords(answer));
  }
  const operationId = book.at(method, pathname)?.operationId ?? null;
  const bytes = await buffer(req);
  const asked = { operationId, method, target, headers, body: bytes.length === 0 ? null : bytes };
  give(res, await judged({ ...passage, asked, reader: res }));
}

/** Asks the service, and shows its answer to Prism. */
async function reach(passage: Passage, copy: ServerResponse): Promise<void> {
  const { asked, upstream, reader } = passage;
  try {
    const answer = await ask(new URL(asked.target, upstream), asked);
    const status = answer.statusCode ?? 0;
    const headers = pairs(answer);
    // Without an address Prism does not follow a redirect.
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

/** A stream as it comes, to its end or until its reader leaves. @throws when it breaks off */
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
  if (answer === null) return void res.destroy(); // as a service that is away
  if (!res.headersSent) res.writeHead(answer.status, answer.headers.flat());
  res.end(answer.body);
}
