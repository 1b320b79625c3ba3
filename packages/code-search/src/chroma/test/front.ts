import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy in front of a real server, in which a test can inspect and change the traffic. */
export interface Front extends AsyncDisposable {
  readonly url: URL;
  /** The requests so far, in order. */
  readonly requests: { readonly method: string; readonly path: string; readonly bytes: number }[];
  /** Comes before a request goes on; true where it has answered itself. */
  before: (request: IncomingMessage, response: ServerResponse) => Promise<boolean> | boolean;
  /** What becomes of the server's answer. */
  after: (path: string, answer: string) => string;
}

/** Starts a front of a server. @param prefix the path that it serves the server's own paths below */
export async function startFront(target: URL, prefix = ''): Promise<Front> {
  // By itself Node lets go of a quiet connection after 5 s, and on a busy machine a client asks on it at that very moment.
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const body = await buffer(request);
    const { method = 'GET', url: path = '/' } = request;
    front.requests.push({ method, path, bytes: body.length });
    if (await front.before(request, response)) return;
    if (!path.startsWith(`${prefix}/`)) return void response.writeHead(404).end();
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(new URL(path.slice(prefix.length), target), {
      method,
      headers,
      ...(body.length > 0 ? { body } : {}),
    });
    response.writeHead(answer.status, headers).end(front.after(path, await answer.text()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const front: Front = {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`),
    requests: [],
    before: () => false,
    after: (_path, answer) => answer,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return front;
}
