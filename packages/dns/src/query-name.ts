import { Resolver } from 'node:dns/promises';
import type { HostLookup } from '@sluice/core/network';

const TIMEOUT_MS = 2_000; // of the first try; the second waits twice as long
const TRIES = 2;
/** How long the addresses of one family wait for those of the other: some servers never answer for IPv6. */
const OTHER_FAMILY_MS = 1_000;

/** The codes by which c-ares says that a name does not exist or has no such address. Anything else may be different at the next try. */
const absent = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EBADQUERY']);

/**
 * Asks name servers for one name, in both families at once, without a thread. Each query has a resolver of its own, which can
 * be cancelled alone. IPv4 comes first: whether this host reaches IPv6 is not known here, and those who connect try both.
 */
export async function queryName(
  name: string,
  servers: readonly string[] | null,
  signal: AbortSignal,
): Promise<HostLookup> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers !== null) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  let pause: NodeJS.Timeout | undefined;
  try {
    const families = [follow(resolver.resolve4(name)), follow(resolver.resolve6(name))];
    const enough = new Promise<void>((resolve) => {
      for (const { answered, addresses } of families) {
        void answered.then(() => {
          if (addresses.length > 0) pause ??= setTimeout(resolve, OTHER_FAMILY_MS);
        });
      }
    });
    await Promise.race([Promise.all(families.map(({ answered }) => answered)), enough]);
    const addresses = families.flatMap((family) => family.addresses);
    if (addresses.length > 0) return { kind: 'found', addresses };
    return { kind: 'unresolved', reason: families.every((family) => family.isAbsent) ? 'unknown' : 'no_answer' };
  } finally {
    clearTimeout(pause);
    signal.removeEventListener('abort', cancel);
    resolver.cancel();
  }
}

interface FamilyAnswer {
  readonly answered: Promise<void>;
  /** Empty until it is answered. */
  readonly addresses: readonly string[];
  readonly isAbsent: boolean;
}

function follow(query: Promise<string[]>): FamilyAnswer {
  const answer = { addresses: [] as string[], isAbsent: false };
  const answered = query.then(
    (addresses) => {
      answer.addresses.push(...addresses);
    },
    (error: NodeJS.ErrnoException) => {
      answer.isAbsent = absent.has(error.code ?? '');
    },
  );
  return Object.assign(answer, { answered });
}
