import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClientErrors } from './client-error.ts';

const REQUEST_MS = 60_000; // for a whole request to arrive: a mebibyte at 17 KiB a second
const HEADERS_MS = 20_000; // for 16 KiB of headers, and for a connection to send anything at all

/** The response write timeout. The kernel reports progress a mebibyte or so at a time: slower clients are cut off. */
const WRITE_TIMEOUT_MS = 60_000;
const CHECK_MS = 5_000; // how late a timeout is noticed; Node's default is half a minute

/** A server for the api. It listens before the api is made: see `ApiOptions.publicUrl`. */
export function createHttpServer(): Server {
  return createServer({
    requestTimeout: REQUEST_MS,
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: CHECK_MS,
    requireHostHeader: false,
  });
}

/** Lets the api answer everything that comes in, also what Node would refuse by itself without a body that says why. */
export function answerAll(
  server: Server,
  api: { handler: RequestListener; clientErrors: ClientErrors },
  writeTimeoutMs = WRITE_TIMEOUT_MS,
): void {
  const { handler, clientErrors } = api;
  const answer = limitPipelining((req, res) => {
    // Only once the answer has begun: the time it takes to make is not the client's. Heartbeats count as progress.
    res.setTimeout(writeTimeoutMs, () => {
      if (res.headersSent) res.destroy();
    });
    const hosts = req.headersDistinct.host?.length ?? 0;
    if (hosts === 1 || (hosts === 0 && req.httpVersion !== '1.1')) handler(req, res);
    else clientErrors.onClientError(new Error(`A request came with ${hosts} Host headers.`), req.socket);
  });
  server.on('request', answer);
  server.on('checkExpectation', answer); // an unknown expectation may be ignored (RFC 9110 10.1.1)
  server.on('clientError', clientErrors.onClientError);
  server.on('connect', (_req, socket) => clientErrors.onClientError(new Error('This is not a proxy.'), socket));
}

/** Clients that pipeline at all send a few requests ahead. */
const MAX_WAITING = 100;

/**
 * Answers the first hundred requests that wait on one connection, then closes it. Node would begin all requests of a
 * packet, a thousand and more, in one turn of the event loop. Its `maxRequestsPerSocket` counts every request of a
 * connection instead of those that wait, and refuses without a body.
 */
export function limitPipelining(answer: RequestListener): RequestListener {
  const lines = new WeakMap<Duplex, { waiting: number; last: ServerResponse; isFull: boolean }>();
  return (req, res) => {
    const { socket } = req;
    const line = lines.get(socket) ?? { waiting: 0, last: res, isFull: false };
    lines.set(socket, line);
    if (line.isFull) return;
    if (line.waiting === MAX_WAITING) {
      line.isFull = true;
      socket.pause();
      // Node resumes a socket when answers drain, and would begin the next thousand requests.
      socket.on('resume', () => socket.pause());
      // Closed without lingering, although the client may lose answers and has to repeat what was not answered (RFC 9112
      // 9.3.2): the requests that were begun occupy some ten megabytes until the connection is gone.
      line.last.once('close', () => socket.destroy());
      return;
    }
    line.waiting += 1;
    line.last = res;
    res.once('close', () => {
      line.waiting -= 1;
    });
    answer(req, res);
  };
}
