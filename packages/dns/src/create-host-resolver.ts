import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { type HostLookup, type HostResolver, isHostName, type UnresolvedReason } from '@sluice/core/network';
import { LRUCache } from 'lru-cache';
import { createFairTurns, type TurnLimits } from './fair-turns.ts';
import { queryName } from './query-name.ts';

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

/**
 * The addresses of `localhost` and of names below it where the hosts file has none: these names never leave this host
 * (RFC 6761, 6.3).
 */
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

/** Reads `/etc/hosts`: the addresses of each name, in the order of the file. Names are in lower case. */
function parseHostsFile(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const spelled of names) {
      const name = spelled.toLowerCase();
      const addresses = hosts.get(name) ?? [];
      if (!addresses.includes(address)) hosts.set(name, [...addresses, address]);
    }
  }
  return hosts;
}

/**
 * The content of a small file of the system, parsed again only when the file has changed. A file that is absent or
 * cannot be read counts as empty. Synchronous, because an asynchronous read would wait for a thread of libuv, and other
 * look-ups hold those.
 */
function watchFile<T>(path: string, parse: (text: string) => T): () => T {
  let known: { readonly stamp: string; readonly value: T } | null = null;
  return () => {
    const stamp = stampOf(path);
    if (known?.stamp !== stamp) known = { stamp, value: parse(stamp === '' ? '' : textOf(path)) };
    return known.value;
  };
}

/** Changes with the file; empty where there is none. A file that was replaced within one moment has another number. */
function stampOf(path: string): string {
  try {
    const { mtimeNs, size, dev, ino } = statSync(path, { bigint: true });
    return `${mtimeNs} ${size} ${dev} ${ino}`;
  } catch {
    return '';
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** What `resolv.conf` says. */
interface ResolverSettings {
  /** Null: as c-ares reads them itself. */
  readonly servers: readonly string[] | null;
  /** Domains in which a name is looked up too. */
  readonly search: readonly string[];
  /** From how many dots on a name is first looked up as it is. */
  readonly dots: number;
}

const MAX_DOTS = 15; // as in glibc
const MAX_NAME = 253;
const MAX_PORT = 65_535;

/** Reads `resolv.conf` as glibc does: `nameserver`, `search` or `domain` (the last of them counts) and `options ndots`. */
function parseResolverFile(text: string): ResolverSettings {
  const servers: string[] = [];
  let search = domainOf(hostname());
  let dots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line.trim().split(/\s+/);
    const [value] = values;
    if (keyword === 'nameserver' && value !== undefined && isServer(value)) servers.push(value);
    if (keyword === 'search' || keyword === 'domain') search = keyword === 'search' ? values : values.slice(0, 1);
    if (keyword === 'options') dots = dotsIn(values) ?? dots;
  }
  // Node drops the zone of a server such as fe80::1%eth0, and c-ares keeps it.
  const isZoned = servers.some((server) => server.includes('%'));
  return {
    servers: servers.length === 0 || isZoned ? null : servers,
    search: search.map((domain) => domain.toLowerCase().replace(/\.$/, '')).filter((domain) => domain !== ''),
    dots: Math.min(dots, MAX_DOTS),
  };
}

/** The names to ask for in turn, until one has an address. A dot at the end says that a name is complete. */
function candidatesOf(name: string, { search, dots }: ResolverSettings): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const below = search.map((domain) => `${name}.${domain}`).filter(({ length }) => length <= MAX_NAME);
  return name.split('.').length - 1 >= dots ? [name, ...below] : [...below, name];
}

/** An address, or as c-ares takes it, `address:port` or `[address]:port`. */
function isServer(text: string): boolean {
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]*)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  return isIP(bracketed ?? plain ?? text) !== 0 && Number(port) <= MAX_PORT;
}

function domainOf(host: string): string[] {
  const [, ...domain] = host.split('.');
  return domain.length === 0 ? [] : [domain.join('.')];
}

function dotsIn(options: readonly string[]): number | null {
  const given = options.findLast((option) => /^ndots:\d+$/.test(option));
  return given === undefined ? null : Number(given.slice('ndots:'.length));
}
