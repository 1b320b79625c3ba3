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

/** A connection for each: one that is kept may be closed by the other end at the moment at which it is used again. */
export async function ask(url: URL, { method, headers, body }: Asked): Promise<IncomingMessage> {
  const asking = request(url, { method, headers, agent: false });
  asking.end(body ?? undefined);
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return answer;
}

/** What belongs to a connection, or is counted anew for the next one. */
const ofOneHop = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'accept-encoding',
]);

export function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !ofOneHop.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** The headers of an answer, each line of them. */
export function pairs({ headersDistinct }: IncomingMessage): [string, string][] {
  return Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    ofOneHop.has(name) ? [] : values.map((value): [string, string] => [name, value]),
  );
}

/** Passes a request and its answer on as they come. */
export function passBy(upstream: string, req: IncomingMessage, res: ServerResponse): void {
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
