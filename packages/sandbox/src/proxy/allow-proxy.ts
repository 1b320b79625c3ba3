import { chmod, mkdtemp, rm } from 'node:fs/promises';
// house-rule(host-names): over a connection to a checked address
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net'; // house-rule(host-names): to a checked address
import { join } from 'node:path';
import { type Duplex, pipeline } from 'node:stream';
import type { HostResolver } from '@sluice/core/network';
import { createDestinations, type Destination } from './destination.ts';
import { admitHello, readHelloRetry } from './hello-exchange.ts';

/** The operator's settings for all commands with network access. */
export interface ProxyPolicy {
  /** Hosts (as in the allow-list) that may have a private address, such as a registry mirror in the operator's network. */
  readonly allowPrivateHosts?: readonly string[];
  /** Bytes that one command may transfer, in both directions together. */
  readonly maxBytes?: number;
  /** Idle timeout of a connection in milliseconds. */
  readonly idleMs?: number;
  /** Timeout for the TLS hello of a tunnel in milliseconds. */
  readonly helloMs?: number;
  /** How long a command may do nothing after it has asked a refused host again, in milliseconds. */
  readonly refusalGraceMs?: number;
  readonly hosts: HostResolver;
}

export interface AllowProxy {
  /** Unix socket to mount inside. */
  readonly socketPath: string;
  /** How many requests were refused since a host was reached; 0 while a connection is open, or is being opened. */
  refusals(): number;
  /** Closes every connection. */
  close(): Promise<void>;
}

export interface ProxyRequest {
  readonly allowHosts: readonly string[];
  /** `owner` of `HostQuestion`. */
  readonly owner: string;
  /** Called once for each refused destination, with a sentence. */
  refused(what: string): void;
}

const defaults = { maxBytes: 4 * 2 ** 30, idleMs: 60_000, helloMs: 10_000 };
const connectionsAtOnce = 128;
const connectMs = 15_000;

/** Hop-by-hop headers, which are not forwarded (RFC 9110, 7.6.1). */
const hopByHopHeaders = [
  'connection',
  'proxy-connection',
  'proxy-authorization',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** A Unix socket path has at most 108 bytes, and the data folder may be deeper than that. */
const socketFolder = '/tmp';

/** An HTTP proxy (CONNECT and absolute form) for one command: only allowed host names, resolved here, never to a private address. */
export async function openAllowProxy(policy: ProxyPolicy, request: ProxyRequest): Promise<AllowProxy> {
  const { maxBytes, idleMs, helloMs } = { ...defaults, ...policy };
  const closing = new AbortController();
  const destinations = createDestinations({
    allowHosts: request.allowHosts,
    allowPrivateHosts: policy.allowPrivateHosts ?? [],
    hosts: policy.hosts,
    question: { owner: request.owner, signal: closing.signal },
  });
  const open = new Set<Duplex>();
  const reported = new Set<string>();
  const outgoing = new Set<Duplex>();
  let refusals = 0;
  let moved = 0;

  const refuse = (what: string, reason: string) => {
    refusals += 1;
    const message = `${what.slice(0, 300)}: ${reason}`;
    if (!reported.has(message) && reported.size < 50) request.refused(message);
    reported.add(message);
    return `Refused by the sandbox: ${reason}\n`;
  };
  const track = (socket: Socket) => {
    open.add(socket);
    socket.setTimeout(idleMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.once('close', () => open.delete(socket));
  };
  const count = (chunk: Buffer) => {
    moved += chunk.length;
    if (moved <= maxBytes) return;
    refuse('more traffic', `the limit of ${maxBytes} bytes is used up`);
    for (const socket of open) socket.destroy();
  };
  const reach = async ({ address, port }: Destination): Promise<Socket> => {
    const socket = connect({ host: address, port });
    track(socket);
    outgoing.add(socket);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => socket.destroy(new Error('connect timed out')), connectMs);
      socket.once('connect', () => {
        refusals = 0;
        resolve(socket);
      });
      socket.once('error', reject);
      socket.once('close', () => {
        outgoing.delete(socket);
        clearTimeout(timer);
        reject(new Error('closed'));
      });
      socket.once('connect', () => clearTimeout(timer));
    });
  };

  const server = createServer({ maxHeaderSize: 32_768 }, (incoming, answer) => {
    forward(incoming, answer).catch(() => answer.destroy());
  });
  server.maxConnections = connectionsAtOnce;
  server.on('connection', track);
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    tunnel(incoming, client, head).catch(() => client.destroy());
  });

  /**
   * Forwards the client's hello if it asks for this name: one address serves many names, and without this check the client
   * could ask for any of them. If the server asks for a second hello, the name in that one counts.
   *
   * @returns the reason why the tunnel is refused, or null
   */
  const passHellos = async (client: Duplex, far: Socket, host: string): Promise<string | null> => {
    for (const isRetry of [false, true]) {
      const hello = await admitHello(client, { host, timeoutMs: helloMs, isRetry });
      if (typeof hello === 'string') return hello;
      count(hello);
      far.write(hello);
      if (isRetry) break;
      const retry = await readHelloRetry(far);
      if (retry === null) break;
      count(retry);
      client.write(retry);
    }
    return null;
  };

  const tunnel = async (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    const found = await destinations.find(incoming.url ?? '');
    if (typeof found === 'string') {
      const message = refuse(incoming.url ?? '', found);
      client.end(
        `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: ${message.length}\r\nConnection: close\r\n\r\n${message}`,
      );
      return;
    }
    // Resolving and connecting take time, and the client may have left meanwhile.
    const far = client.destroyed ? null : await reach(found).catch(() => null);
    if (client.destroyed) {
      far?.destroy();
      return;
    }
    if (far === null) {
      client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    client.once('close', () => far.destroy());
    far.once('close', () => client.destroy());
    if (head.length > 0) client.unshift(head);
    const refused = found.tlsName === null ? null : await passHellos(client, far, found.tlsName);
    // A client that left before its hello was read was not refused.
    if (client.destroyed) return;
    if (refused !== null) {
      refuse(incoming.url ?? '', refused);
      client.destroy();
      return;
    }
    client.on('data', count);
    far.on('data', count);
    client.pipe(far);
    far.pipe(client);
  };

  const forward = async (incoming: IncomingMessage, answer: ServerResponse) => {
    const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : null;
    const found =
      url?.protocol === 'http:'
        ? await destinations.find(`${url.hostname}:${url.port || 80}`)
        : 'only http:// and CONNECT are supported';
    if (url === null || typeof found === 'string') {
      answer.writeHead(403, { 'content-type': 'text/plain' }).end(refuse(url?.host ?? 'a request', String(found)));
      return;
    }
    const client = incoming.socket;
    const far = client.destroyed ? null : await reach(found).catch(() => null);
    if (client.destroyed) {
      far?.destroy();
      return;
    }
    if (far === null) {
      answer.writeHead(502).end();
      return;
    }
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => !hopByHopHeaders.includes(name)),
    );
    const onward = httpRequest({
      createConnection: () => far,
      method: incoming.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host, connection: 'close' },
    });
    onward.on('error', () => answer.destroy());
    // Without a response that can be forwarded (such as an upgrade), the client must not wait for one.
    onward.once('close', () => {
      if (!answer.headersSent) answer.destroy();
    });
    onward.on('response', (response) => {
      try {
        answer.writeHead(response.statusCode ?? 502, response.headers);
      } catch {
        // The server chooses these values, and Node parses some that it refuses to write, such as status 99.
        answer.destroy();
        return;
      }
      response.on('data', count);
      // A truncated response must be truncated here too.
      pipeline(response, answer, () => undefined);
    });
    answer.once('close', () => far.destroy());
    incoming.on('data', count).pipe(onward);
  };

  const folder = await mkdtemp(join(socketFolder, `sluice-proxy-${process.pid}-`));
  const socketPath = join(folder, 'proxy.sock');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  // The folder is private to the service (0700); the user inside is another one and sees only the socket.
  await chmod(socketPath, 0o666);
  return {
    socketPath,
    refusals: () => (outgoing.size === 0 ? refusals : 0),
    async close() {
      closing.abort();
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await rm(folder, { recursive: true, force: true });
    },
  };
}
