/** One event as it came over Server-Sent Events. */
interface SentEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: Record<string, unknown> & { seq?: number; type: string };
}

export interface OpenStream extends AsyncDisposable {
  readonly status: number;
  readonly headers: Headers;
  /** The bytes so far, as text. */
  raw(): string;
  events(): SentEvent[];
  /** Resolves when the server has closed the stream. */
  readonly ended: Promise<'closed' | 'cut'>;
  /** Drops the connection. */
  drop(): void;
}

/** Reads a stream of Server-Sent Events by hand, so that a test sees every byte of it. */
export async function openStream(url: string, headers: Record<string, string>): Promise<OpenStream> {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  let raw = '';
  const read = async (): Promise<'closed' | 'cut'> => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) raw += decoder.decode(chunk as Uint8Array, { stream: true });
      return 'closed';
    } catch {
      return 'cut';
    }
  };
  const ended = read();
  return {
    status: response.status,
    headers: response.headers,
    raw: () => raw,
    events: () => parse(raw),
    ended,
    drop: () => leaving.abort(),
    [Symbol.asyncDispose]: async () => {
      leaving.abort();
      await ended;
    },
  };
}

function parse(raw: string): SentEvent[] {
  return raw
    .split('\n\n')
    .slice(0, -1) // the last part is not complete yet
    .flatMap((block) => {
      const fields = new Map(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      const data = fields.get('data');
      return data === undefined
        ? []
        : [{ id: fields.get('id') ?? null, event: fields.get('event') ?? '', data: JSON.parse(data) }];
    });
}
