import {
  embeddedIpv4,
  type HostLookup,
  type HostQuestion,
  type HostResolver,
  isHostName,
  isPublicAddress,
  matchesHost,
  namesPort,
  parseHostPattern,
  renderUnresolved,
} from '@sluice/core/network';

export interface Destination {
  /** The address that the name had when it was first resolved. */
  readonly address: string;
  readonly port: number;
  /** The name that a tunnel's TLS hello must contain; null where an entry names the port, which allows any protocol. */
  readonly tlsName: string | null;
}

const httpsPort = 443;

export interface DestinationRules {
  readonly allowHosts: readonly string[];
  readonly allowPrivateHosts: readonly string[];
  readonly hosts: HostResolver;
  readonly question: HostQuestion;
}

/** Decides where a connection may go. A name keeps the first address that it had, so that its owner cannot point it elsewhere later. */
export function createDestinations(rules: DestinationRules) {
  const allowed = rules.allowHosts.map(parseHostPattern).filter((pattern) => pattern !== null);
  const mayBePrivate = rules.allowPrivateHosts.map(parseHostPattern).filter((pattern) => pattern !== null);
  const resolved = new Map<string, Promise<HostLookup>>();

  const addressOf = async (host: string): Promise<HostLookup> => {
    const pending = resolved.get(host) ?? rules.hosts.resolve(host, rules.question);
    resolved.set(host, pending);
    const lookup = await pending;
    if (lookup.kind === 'unresolved') resolved.delete(host); // it may have an address at the next try
    return lookup;
  };

  return {
    /** @returns the destination of `host:port`, or the reason why it is refused */
    async find(authority: string): Promise<Destination | string> {
      const [, name, digits] = /^([^:[\]@/]+):(\d{1,5})$/.exec(authority.toLowerCase()) ?? [];
      const host = name?.replace(/\.$/, '');
      if (host === undefined || !isHostName(host)) return 'only host names are allowed, not addresses';
      const port = Number(digits);
      if (!matchesHost(allowed, host, port)) return 'it is not in SETUP_ALLOW_HOSTS';
      const lookup = await addressOf(host);
      if (lookup.kind === 'unresolved') return `its name ${renderUnresolved(lookup.reason)}`;
      const [address = ''] = lookup.addresses;
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
