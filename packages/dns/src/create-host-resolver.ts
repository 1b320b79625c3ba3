import { isIP } from 'node:net';
import { type HostLookup, type HostResolver, isHostName, type UnresolvedReason } from '@sluice/core/network';
import { LRUCache } from 'lru-cache';
import { createFairTurns, type TurnLimits } from './fair-turns.ts';
import { parseHostsFile } from './hosts-file.ts';
import { queryName } from './query-name.ts';
import { candidatesOf, parseResolverFile } from './resolver-file.ts';
import { watchFile } from './watch-file.ts';

/** The files of the system that say how names are resolved. Both are read again when they change. */
export interface ResolverFiles {
  readonly hosts: string;
  readonly settings: string;
}

const systemFiles: ResolverFiles = { hosts: '/etc/hosts', settings: '/etc/resolv.conf' };

/**
 * A look-up takes milliseconds, so an owner with eight at once waits for name servers that do not answer. Sixteen such owners
 * can fill all turns, and the next owner has the first turn that ends, within `ANSWER_MS`. A turn costs two or three sockets.
 */
const LIMITS: TurnLimits = { inAll: 128, perOwner: 8, waitingPerOwner: 64 };
// Both together are less than what callers give a delivery or a registration, which is 15 s.
const TURN_MS = 7_500; // longer than any turn that must end first
const ANSWER_MS = 7_000; // of two tries at one server, which take 6 s
/** A name that was just fixed is found again soon, and one that hangs is not asked for at each delivery. */
const FAILURE_MS = 10_000;
const MAX_FAILURES = 1_000;

/** For `localhost` and names below it where the hosts file has none: they never leave this host (RFC 6761, 6.3). */
const LOOPBACK = ['127.0.0.1', '::1'];

/** Resolves names over c-ares, in bounded time, with a bound for each owner and for all together. */
export function createHostResolver(files: ResolverFiles = systemFiles): HostResolver {
  const hosts = watchFile(files.hosts, parseHostsFile);
  const settings = watchFile(files.settings, parseResolverFile);
  const turns = createFairTurns(LIMITS);
  const failures = new LRUCache<string, UnresolvedReason>({ max: MAX_FAILURES, ttl: FAILURE_MS });
  let lastSettings = settings();

  function recentFailure(name: string): UnresolvedReason | null {
    if (settings() !== lastSettings) failures.clear(); // other servers or domains may know the name
    lastSettings = settings();
    return failures.get(name) ?? null;
  }

  async function ask(name: string, signal: AbortSignal): Promise<HostLookup> {
    const deadline = AbortSignal.timeout(ANSWER_MS);
    const end = AbortSignal.any([signal, deadline]);
    const { servers } = lastSettings;
    let reason: UnresolvedReason = 'unknown';
    for (const candidate of candidatesOf(name, lastSettings)) {
      signal.throwIfAborted();
      const lookup = await queryName(candidate, servers, end);
      signal.throwIfAborted();
      if (lookup.kind === 'found') return lookup;
      if (lookup.reason !== 'unknown') reason = lookup.reason;
      if (deadline.aborted) break;
    }
    failures.set(name, reason);
    return unresolved(reason);
  }

  return {
    async resolve(host, { owner, signal }) {
      signal.throwIfAborted();
      if (isIP(host) !== 0) return { kind: 'found', addresses: [host] };
      const name = host.toLowerCase();
      const bare = name.replace(/\.$/, '');
      if (!isHostName(bare)) return unresolved('unknown');
      const listed = hosts().get(bare) ?? (/(?:^|\.)localhost$/.test(bare) ? LOOPBACK : null);
      if (listed !== null)
        return { kind: 'found', addresses: [...listed].sort((one, other) => isIP(one) - isIP(other)) };
      const before = recentFailure(name);
      if (before !== null) return unresolved(before);
      const end = await takeTurn(owner, signal);
      if (end === null) return unresolved('too_many');
      try {
        const meanwhile = recentFailure(name);
        return meanwhile === null ? await ask(name, signal) : unresolved(meanwhile);
      } finally {
        end();
      }
    },
  };

  async function takeTurn(owner: string, signal: AbortSignal): Promise<(() => void) | null> {
    const late = AbortSignal.timeout(TURN_MS);
    try {
      return await turns.take(owner, AbortSignal.any([signal, late]));
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) return null;
      throw error;
    }
  }
}

function unresolved(reason: UnresolvedReason): HostLookup {
  return { kind: 'unresolved', reason };
}
