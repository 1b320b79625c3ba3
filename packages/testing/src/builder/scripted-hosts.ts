import { isIP } from 'node:net';
import { untilAborted } from '@sluice/core/async';
import type { HostQuestion, HostResolver } from '@sluice/core/network';

/** Host names with the addresses that a function gives them; a name without any is unknown. */
export function scriptedHosts(
  addressesOf: (host: string, question: HostQuestion) => readonly string[] | Promise<readonly string[]>,
): HostResolver {
  return {
    resolve: async (host, question) => {
      question.signal.throwIfAborted();
      const asked = async () => (isIP(host) === 0 ? await addressesOf(host, question) : [host]);
      const addresses = await untilAborted(asked(), question.signal);
      return addresses.length === 0 ? { kind: 'unresolved', reason: 'unknown' } : { kind: 'found', addresses };
    },
  };
}

/** Knows `localhost` alone. */
export const localHosts: HostResolver = scriptedHosts((host) => (host === 'localhost' ? ['127.0.0.1'] : []));
