import { createServer, type RequestListener, type Server } from 'node:http';
import type { ClientErrors } from './client-error.ts';
import { endUnread } from './end-unread.ts';
import { limitPipelining } from './limit-pipelining.ts';

const REQUEST_MS = 60_000; // for the whole of a request to arrive; a mebibyte in that is 17 KiB a second

const HEADERS_MS = 20_000; // for 16 KiB of headers, or for a client that connects to say anything at all
/** For a client to take some of an answer. The kernel tells us of a mebibyte or so at a time: as slow as that. */
const UNREAD_MS = 60_000;
const LOOK_MS = 5_000; // how late either is noticed; by itself Node looks every half minute

/** A server for the api, which listens before the api is made: see `ApiOptions.publicUrl`. */
export function createHttpServer(): Server {
  return createServer({
    requestTimeout: REQUEST_MS,
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: LOOK_MS,
    requireHostHeader: false,
  });
}

/** Lets the api answer all that comes in, also what Node would refuse by itself, without a body that says why. */
export function answerAll(
  server: Server,
  api: { handler: RequestListener; clientErrors: ClientErrors },
  unreadMs = UNREAD_MS,
): void {
  const { handler, clientErrors } = api;
  const answer = limitPipelining((req, res) => {
    endUnread(res, unreadMs);
    const hosts = req.headersDistinct.host?.length ?? 0;
    if (hosts === 1 || (hosts === 0 && req.httpVersion !== '1.1')) handler(req, res);
    else clientErrors.onClientError(new Error(`A request came with ${hosts} Host headers.`), req.socket);
  });
  server.on('request', answer);
  server.on('checkExpectation', answer); // an expectation that nobody knows may be passed over (RFC 9110 10.1.1)
  server.on('clientError', clientErrors.onClientError);
  server.on('connect', (_req, socket) => clientErrors.onClientError(new Error('This is no proxy.'), socket));
}
