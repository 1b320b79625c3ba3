import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';

export interface Asked {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: readonly [string, string][];
  readonly body: Buffer;
}

/** Uses a new connection for each request: the other end may close an idle one at the moment it is reused. */
export async function ask(url: URL, { method, headers, body }: Asked): Promise<IncomingMessage> {
  const asking = request(url, { method, headers, agent: false });
  asking.end(body ?? undefined);
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return answer;
}

/** Headers of one connection, or computed again for the next one. */
const hopByHop = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'accept-encoding',
]);

export function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !hopByHop.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** The headers of a response, one entry for each line. */
export function pairs({ headersDistinct }: IncomingMessage): [string, string][] {
  return Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    hopByHop.has(name) ? [] : values.map((value): [string, string] => [name, value]),
  );
}

/** Forwards a request and its response as they arrive. */
export function forward(upstream: string, req: IncomingMessage, res: ServerResponse): void {
  const { host: _, connection: __, ...headers } = req.headers;
  const through = request(new URL(req.url ?? '/', upstream), { method: req.method, headers, agent: false });
  res.on('close', () => through.destroy());
  through.on('error', () => res.destroy());
  through.on('response', (answer) => {
    const { connection: _, ...kept } = answer.headers;
    res.writeHead(answer.statusCode ?? 502, kept);
    answer.on('error', () => res.destroy()).pipe(res);
  });
  req.pipe(through);
}
