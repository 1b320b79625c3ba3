import type { Duplex } from 'node:stream';
import { createClientHelloReader } from './client-hello.ts';

interface HelloTerms {
  /** The name that the tunnel was opened for, in lower case and without a trailing dot. */
  readonly host: string;
  /** For the whole hello, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether the server asked for a second hello. */
  readonly isRetry?: boolean;
}

/**
 * Reads a client's TLS hello and compares its server name with the name of the tunnel. Afterwards the stream is paused at
 * the end of the hello.
 *
 * @returns the hello to forward, or the reason why the tunnel is refused
 */
export async function admitHello(client: Duplex, terms: HelloTerms): Promise<Buffer | string> {
  const reader = createClientHelloReader({ isRetry: terms.isRetry === true });
  const late = AbortSignal.timeout(terms.timeoutMs);
  const verdict = Promise.withResolvers<Buffer | string>();
  const take = (chunk: Buffer) => {
    const hello = reader.take(chunk);
    if (hello === null) return;
    client.off('data', take).pause();
    if ('refused' in hello) verdict.resolve(hello.refused);
    else if (hello.serverName.toLowerCase() === terms.host) {
      const taken = reader.taken();
      if (taken.rest.length > 0) client.unshift(taken.rest);
      verdict.resolve(taken.hello);
    } else verdict.resolve(`its TLS hello names ${JSON.stringify(hello.serverName.slice(0, 100))} instead`);
  };
  const ended = () => verdict.resolve('it ended during its TLS hello');
  late.addEventListener('abort', () => verdict.resolve(`no TLS hello arrived within ${terms.timeoutMs} ms`));
  client.once('end', ended).once('close', ended);
  client.on('data', take).resume();
  return verdict.promise.finally(() => client.off('data', take).off('end', ended).off('close', ended));
}

const handshakeRecord = 22;
const serverHello = 2;

/** The random that makes a ServerHello a HelloRetryRequest (RFC 8446, 4.1.3). */
const retryRandom = Buffer.from('cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c', 'hex');

/** After the record's header, the message's header and the version. */
const randomAt = 5 + 4 + 2;
const needed = randomAt + retryRandom.length;

/**
 * Reads a server's response to a client's hello. The stream is paused afterwards.
 *
 * @returns the bytes to forward if the server asks for a second hello; null for any other response, which stays in the stream
 */
export async function readHelloRetry(server: Duplex): Promise<Buffer | null> {
  let answer: Buffer = Buffer.alloc(0);
  const read = Promise.withResolvers<Buffer | null>();
  const take = (chunk: Buffer) => {
    answer = Buffer.concat([answer, chunk]);
    if (answer[0] === handshakeRecord && answer.length < needed) return;
    server.off('data', take).pause();
    if (isHelloRetry(answer)) {
      read.resolve(answer);
      return;
    }
    server.unshift(answer);
    read.resolve(null);
  };
  const ended = () => read.resolve(null);
  server.once('end', ended).once('close', ended);
  server.on('data', take).resume();
  return read.promise.finally(() => server.off('data', take).off('end', ended).off('close', ended));
}

function isHelloRetry(answer: Buffer): boolean {
  return answer[5] === serverHello && answer.subarray(randomAt, needed).equals(retryRandom);
}
