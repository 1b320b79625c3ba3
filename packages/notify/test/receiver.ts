import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveOnLoopback } from '@sluice/testing';

/** A request as a receiver got it. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A receiver of webhooks that answers as told, and remembers what it got. */
export async function startReceiver(answer: (response: ServerResponse, request: Received) => void) {
  const received: Received[] = [];
  const server = await serveOnLoopback((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      const got = { method, path, headers, body: Buffer.concat(chunks).toString() };
      received.push(got);
      answer(response, got);
    });
  });
  const { host, port } = new URL(server.origin);
  return { origin: server.origin, host, port, received, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
