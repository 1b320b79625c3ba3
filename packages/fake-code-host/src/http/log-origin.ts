import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { HostLog, HostLogs } from '../state/host-build.ts';

/** A request that the store of logs got, with every header. */
interface LogRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** How much was sent before the other side had enough. */
  bytes: number;
}

/** Another origin than the host's, where logs are kept: what is signed into an address is all that it asks for. */
export interface LogOrigin extends HostLogs, AsyncDisposable {
  readonly url: string;
  readonly requests: readonly LogRequest[];
  /** From now on logs are said to be at that address. Null: where they are. */
  moveTo(address: string | null): void;
  /** From now on a log is begun and never ended. */
  stall(isStalled: boolean): void;
}

const CHUNK = Buffer.from(`${'2026-11-27T08:00:00.0000000Z compiling, and nothing to see here\n'.repeat(1_000)}`);

export async function openLogOrigin(): Promise<LogOrigin> {
  const logs = new Map<string, HostLog>();
  const requests: LogRequest[] = [];
  let elsewhere: string | null = null;
  let isStalled = false;
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin.url);
    const seen: LogRequest = { path: pathname, headers: request.headers, bytes: 0 };
    requests.push(seen);
    const log = logs.get(pathname);
    if (log === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/plain' });
    if (isStalled) return void response.write('begun\n');
    // The other side may have had enough.
    pipeline(partsOf(log, seen), response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin: LogOrigin = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    moveTo: (address) => {
      elsewhere = address;
    },
    stall: (to) => {
      isStalled = to;
    },
    addressOf: (run) => {
      const path = `/logs/${run.id}`;
      if (run.log !== null) logs.set(path, run.log);
      return elsewhere ?? `${origin.url}${path}?sig=signed`;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return origin;
}

async function* partsOf({ text, bytes = 0 }: HostLog, seen: LogRequest): AsyncGenerator<Buffer> {
  while (seen.bytes < bytes) {
    const part = CHUNK.subarray(0, bytes - seen.bytes);
    seen.bytes += part.byteLength;
    yield part;
  }
  const end = Buffer.from(text);
  seen.bytes += end.byteLength;
  yield end;
}
