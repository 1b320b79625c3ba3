import type { Duplex } from 'node:stream';
import { createClientHelloReader } from './client-hello.ts';

export interface HelloTerms {
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
