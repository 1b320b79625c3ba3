/** One entry of an allow-list: `host`, `*.suffix`, either with `:port`. */
export interface HostPattern {
  readonly name: string;
  readonly wildcard: boolean;
  readonly port: number | null;
}

const usualPorts = [80, 443];
const hostName = /^(?=.{1,253}$)(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/** Parses an entry. Null for anything but a host name: addresses are not allowed. */
export function parseHostPattern(entry: string): HostPattern | null {
  const [, star, rest, port] = /^(\*\.)?([^:*]+)(?::(\d{1,5}))?$/.exec(entry.trim().toLowerCase()) ?? [];
  if (rest === undefined || !isHostName(rest)) return null;
  return { name: rest, wildcard: star !== undefined, port: port === undefined ? null : Number(port) };
}

/** Whether a host and port are allowed: ports 80 and 443, or the one that the entry names. */
export function matchesHost(patterns: readonly HostPattern[], host: string, port: number): boolean {
  return (
    namesPort(patterns, host, port) ||
    (usualPorts.includes(port) && patterns.some((pattern) => pattern.port === null && matchesName(pattern, host)))
  );
}

/** Whether an entry for this host names this port. */
export function namesPort(patterns: readonly HostPattern[], host: string, port: number): boolean {
  return patterns.some((pattern) => pattern.port === port && matchesName(pattern, host));
}

function matchesName({ name, wildcard }: HostPattern, host: string): boolean {
  return wildcard ? host.endsWith(`.${name}`) : host === name;
}

/** Whether this is a name and not an address: its last label is not a number, which also excludes `0x7f.1` and `2130706433`. */
export function isHostName(host: string): boolean {
  const last = host.split('.').at(-1) ?? '';
  return hostName.test(host) && !/^(?:\d+|0x[0-9a-f]*)$/.test(last);
}
