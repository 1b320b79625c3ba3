import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WireTap extends AsyncDisposable {
  readonly url: string;
  /** Every request's body, to the letter, in order. */
  readonly bodies: readonly string[];
}

/** What every answer says to have been in the vendor's prompt cache; only Anthropic's wire tells what was written. */
export const CACHED = { read: 600, write: 100 };

/**
 * Stands before the model server: keeps what really came over the wire, and says what that server cannot say of the
 * cache. A failure is to be asked again at once.
 */
export async function startWireTap(target: string): Promise<WireTap> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    bodies.push(body.toString('utf8'));
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const path = request.url ?? '';
    const answer = await fetch(`${target}${path}`, {
      method: request.method ?? 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: gone.signal,
    });
    const type = answer.headers.get('content-type') ?? 'application/json';
    const failure = answer.ok ? {} : { 'retry-after-ms': '1' };
    response.writeHead(answer.status, { 'content-type': type, ...failure });
    response.end(withCache(path, await answer.text()));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Anthropic counts the parts of the input apart; for the others the cached ones are in the whole. */
function withCache(path: string, answer: string): string {
  const { read, write } = CACHED;
  if (path.endsWith('/messages')) {
    return answer.replace(/"input_tokens":(\d+)/, (_, input: string) => {
      const plain = Number(input) - read - write;
      return `"input_tokens":${plain},"cache_read_input_tokens":${read},"cache_creation_input_tokens":${write}`;
    });
  }
  if (path.endsWith('/responses')) {
    return answer.replaceAll(/"input_tokens":[1-9]\d*/g, `$&,"input_tokens_details":{"cached_tokens":${read}}`);
  }
  return answer.replaceAll(/"prompt_tokens":[1-9]\d*/g, `$&,"prompt_tokens_details":{"cached_tokens":${read}}`);
}
