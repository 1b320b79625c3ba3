import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pace } from '../src/client/pace.ts';

/** A server with scripted responses that records its requests. */
export interface ScriptedHost extends AsyncDisposable {
  readonly url: URL;
  /** `GET /user`, without queries. */
  readonly seen: string[];
  /** The headers of the same requests. */
  readonly headers: IncomingMessage['headers'][];
}

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

export async function startScriptedHost(answer: Answering): Promise<ScriptedHost> {
  const seen: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  // By default Node closes an idle connection after 5 s, and on a busy machine a client may send a request at that moment.
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    seen.push(`${request.method} ${request.url?.split('?')[0]}`);
    headers.push(request.headers);
    request.resume();
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    seen,
    headers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function json(
  response: ServerResponse,
  [status, body]: [number, unknown],
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

/** All waits divided by a thousand. */
export const quickPace: Pace = {
  writeGapMs: 0,
  noticeGapMs: 0,
  searchGapMs: 0,
  retryAfterMs: 1,
  longestWaitMs: 5_000,
  secondMs: 1,
};

/** A secret that no error may contain. */
export const CANARY = 'gho_c4n4ryC4N4RYc4n4ryC4N4RYc4n4ry0123';
