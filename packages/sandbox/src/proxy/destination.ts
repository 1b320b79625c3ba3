import { lookup } from 'node:dns/promises';
import {
  embeddedIpv4,
  isHostName,
  isPublicAddress,
  matchesHost,
  namesPort,
  parseHostPattern,
  withDeadline,
} from '@sluice/core';

export interface Destination {
  /** The address that the name had when it was first resolved. */
  readonly address: string;
  readonly port: number;
  /** The name that a tunnel's TLS hello must contain; null where an entry names the port, which allows any protocol. */
  readonly tlsName: string | null;
}

const httpsPort = 443;

const resolveMs = 10_000;

export interface DestinationRules {
  readonly allowHosts: readonly string[];
  readonly allowPrivateHosts: readonly string[];
  /** Resolves a name, or returns null; default: the system's resolver. */
  readonly resolve?: ((host: string) => Promise<string | null>) | undefined;
}

/** Decides where a connection may go. A name is resolved once, so that its owner cannot point it to a private address later. */
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
    /** @returns the destination of `host:port`, or the reason why it is refused */
    async find(authority: string): Promise<Destination | string> {
      const [, name, digits] = /^([^:[\]@/]+):(\d{1,5})$/.exec(authority.toLowerCase()) ?? [];
      const host = name?.replace(/\.$/, '');
      if (host === undefined || !isHostName(host)) return 'only host names are allowed, not addresses';
      const port = Number(digits);
      if (!matchesHost(allowed, host, port)) return 'it is not in SETUP_ALLOW_HOSTS';
      const address = await addressOf(host);
      if (address === null) return 'its name could not be resolved';
      if (!isOpen(address) && !matchesHost(mayBePrivate, host, port))
        return `${address} is not a public address (a mirror of yours: ALLOW_PRIVATE_HOSTS)`;
      const opaque = port !== httpsPort && namesPort(allowed, host, port);
      return { address, port, tlsName: opaque ? null : host };
    },
  };
}

/** A registry with only an IPv4 address is reached by it. An IPv4 address embedded in IPv6 is refused. */
function isOpen(address: string): boolean {
  return isPublicAddress(address) && embeddedIpv4(address) === null;
}

async function systemResolver(host: string): Promise<string | null> {
  const lookingUp = withDeadline({ ms: resolveMs }, () => lookup(host, { all: true, order: 'ipv4first' }));
  const answer = await lookingUp.catch(() => null);
  return answer?.[0]?.address ?? null;
}
