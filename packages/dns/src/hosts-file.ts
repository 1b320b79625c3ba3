import { isIP } from 'node:net';

/** Reads `/etc/hosts`: the addresses of each name, in the order of the file. Names are in lower case. */
export function parseHostsFile(text: string): ReadonlyMap<string, readonly string[]> {
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
