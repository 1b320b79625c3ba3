import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly origin: string;
}

/** An HTTP server on a free port of the loopback interface. When it is closed, it cuts the connections that are open. */
export async function serveOnLoopback(listener: RequestListener): Promise<LoopbackServer> {
  // By itself Node lets go of a quiet connection after 5 s, and on a busy machine a client asks on it at that very moment.
  const server = createServer({ keepAliveTimeout: 120_000 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
