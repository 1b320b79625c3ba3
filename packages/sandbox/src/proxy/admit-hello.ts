import type { Duplex } from 'node:stream';
import { createClientHelloReader } from './client-hello.ts';

export interface HelloTerms {
  /** The name that the tunnel was opened for, in lower case and without a dot at its end. */
  readonly host: string;
  /** In milliseconds, for the whole hello. */
  readonly timeoutMs: number;
  /** Whether the server asked for another hello. */
  readonly isRetry?: boolean;
}

/**
 * Reads a client's TLS hello and compares its server name with the name of the tunnel. The stream is paused afterwards, and
 * gives what follows the hello when it is read again.
 *
 * @returns the hello, to be passed on, or why the tunnel is refused
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
  const ended = () => verdict.resolve('it ended within its TLS hello');
  late.addEventListener('abort', () => verdict.resolve(`no TLS hello came within ${terms.timeoutMs} ms`));
  client.once('end', ended).once('close', ended);
  client.on('data', take).resume();
  return verdict.promise.finally(() => client.off('data', take).off('end', ended).off('close', ended));
}
