import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveOnLoopback } from '@sluice/testing';

/** A request as it came over the wire. */
export interface WireRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

export interface VendorServer extends AsyncDisposable {
  /** Ends in `/v1`. */
  readonly url: string;
  readonly requests: readonly WireRequest[];
}

/** A model server that says byte for byte what a test wants, and can cut the line. */
export async function startVendor(
  answer: (response: ServerResponse, request: WireRequest, count: number) => void,
): Promise<VendorServer> {
  const requests: WireRequest[] = [];
  const server = await serveOnLoopback(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}') as Record<string, unknown>;
    const request = { path: incoming.url ?? '', headers: incoming.headers, body };
    requests.push(request);
    answer(response, request, requests.length);
  });
  return { url: `${server.origin}/v1`, requests, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Begins a stream of server-sent events and sends these. Anthropic's carry their type as the event's name. */
export function stream(response: ServerResponse, events: readonly Record<string, unknown>[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    const name = typeof event.type === 'string' ? `event: ${event.type}\n` : '';
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
}

/** Answers with a failure in JSON. */
export function refuse(
  response: ServerResponse,
  status: number,
  { body, headers = {} }: { readonly body: unknown; readonly headers?: Record<string, string> },
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
