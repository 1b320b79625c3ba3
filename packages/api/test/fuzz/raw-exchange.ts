import { connect } from 'node:net';

export interface RawRequest {
  readonly method: string;
  /** The request target as it goes over the wire. */
  readonly target: Buffer;
  readonly headers: readonly (readonly [name: string, value: Buffer])[];
  readonly body: Buffer | null;
}

export interface RawAnswer {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body; of an event stream, only the part that came with the head. */
  readonly text: string;
}

const ANSWER_MS = 60_000; // tells of a request that hangs, on the slowest of machines
const CRLF = Buffer.from('\r\n');

/**
 * Sends bytes that no well-behaved client would send, over a connection of their own.
 *
 * @throws Error when there is no whole answer
 */
export function exchange(port: number, request: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const finish = (error: Error | null) => {
      socket.destroy();
      try {
        const answer = parse(Buffer.concat(chunks), request.method === 'HEAD');
        if (error === null || answer.text !== '') resolve(answer);
        else reject(error);
      } catch (unreadable) {
        reject(error ?? unreadable);
      }
    };
    socket.setTimeout(ANSWER_MS, () => finish(new Error(`There was no answer in ${ANSWER_MS} ms.`)));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (/^content-type: text\/event-stream/im.test(chunk.toString('latin1', 0, 4_096))) finish(null);
    });
    socket.once('end', () => finish(null));
    // The server may hang up on a body that it has refused, while that is still being sent.
    socket.once('error', (error) => finish(error));
    socket.write(bytesOf(request));
  });
}

function bytesOf({ method, target, headers, body }: RawRequest): Buffer {
  const lines: Buffer[] = [
    Buffer.concat([Buffer.from(`${method} `), target, Buffer.from(' HTTP/1.1\r\nHost: 127.0.0.1\r\n')]),
  ];
  for (const [name, value] of headers) lines.push(Buffer.from(`${name}: `), value, CRLF);
  if (body !== null) lines.push(Buffer.from(`Content-Length: ${body.length}\r\n`));
  lines.push(Buffer.from('Connection: close\r\n\r\n'));
  return Buffer.concat([...lines, body ?? Buffer.alloc(0)]);
}

function parse(bytes: Buffer, isHead: boolean): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) throw new Error(`This is no answer: ${bytes.toString('latin1').slice(0, 200)}`);
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const rest = bytes.subarray(end + 4);
  if (status < 200) return parse(rest, isHead);
  const headers = new Map(lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', afterColon(line)] as const));
  const body = headers.get('transfer-encoding') === 'chunked' ? unchunked(rest) : rest;
  const told = headers.get('content-length');
  if (told !== undefined && !isHead && Number(told) !== body.length) throw new Error('The answer was cut off.');
  return { status, headers, text: new TextDecoder('utf-8', { fatal: true }).decode(body) };
}

const afterColon = (line: string) => line.slice(line.indexOf(':') + 1).trim();

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf(CRLF, at);
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(parts);
}
