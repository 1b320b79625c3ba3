import { lookup } from 'node:dns/promises';
import { embeddedIpv4, isPublicAddress } from '@sluice/core';
import { isHostName, matchesHost, namesPort, parseHostPattern } from './host-pattern.ts';

export interface Destination {
  /** The address that the name had when it was first asked for. */
  readonly address: string;
  readonly port: number;
  /** The name that a tunnel must ask for in its TLS hello; null where an entry names the port, and so whatever is behind it. */
  readonly tlsName: string | null;
}

const httpsPort = 443;

const resolveMs = 10_000;

export interface DestinationRules {
  readonly allowHosts: readonly string[];
  readonly allowPrivateHosts: readonly string[];
  /** Address of a name, or null; the system's resolver when absent. */
  readonly resolve?: ((host: string) => Promise<string | null>) | undefined;
}

/** Decides where a connection may go. A name is resolved once and kept, so that its owner cannot move it into our network later. */
export function createDestinations(rules: DestinationRules) {
  const allowed = rules.allowHosts.map(parseHostPattern).filter((pattern) => pattern !== null);
  const mayBePrivate = rules.allowPrivateHosts.map(parseHostPattern).filter((pattern) => pattern !== null);
  const resolved = new Map<string, Promise<string | null>>();

  const addressOf = (host: string) => {
    const known = resolved.get(host) ?? (rules.resolve ?? systemResolver)(host);
    resolved.set(host, known);
    return known;
  };

  return {
    /** @returns the destination of `host:port`, or why it is refused */
    async find(authority: string): Promise<Destination | string> {
      const [, name, digits] = /^([^:[\]@/]+):(\d{1,5})$/.exec(authority.toLowerCase()) ?? [];
      const host = name?.replace(/\.$/, '');
      if (host === undefined || !isHostName(host)) return 'only host names are allowed, no addresses';
      const port = Number(digits);
      if (!matchesHost(allowed, host, port)) return 'not in SETUP_ALLOW_HOSTS';
      const address = await addressOf(host);
      if (address === null) return 'its name could not be resolved';
      if (!isOpen(address) && !matchesHost(mayBePrivate, host, port)) return 'it has a private address';
      const opaque = port !== httpsPort && namesPort(allowed, host, port);
      return { address, port, tlsName: opaque ? null : host };
    },
  };
}

/** A registry that has only an IPv4 address is reached by it: one dressed up as IPv6 has no business here. */
function isOpen(address: string): boolean {
  return isPublicAddress(address) && embeddedIpv4(address) === null;
}

async function systemResolver(host: string): Promise<string | null> {
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), resolveMs).unref();
  });
  const answer = await Promise.race([lookup(host, { all: true, order: 'ipv4first' }).catch(() => null), late]);
  return answer?.[0]?.address ?? null;
}
