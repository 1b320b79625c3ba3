import { isIP } from 'node:net';

const PREFIX_GROUPS = 4; // a /64: the smallest network that a provider gives to one customer
const MAPPED = /^0:0:0:0:0:ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/**
 * The key that limits by address count under: an IPv4 address itself, and the /64 of an IPv6 address, because one customer
 * has all of its addresses. An IPv4-mapped address is the IPv4 address. Anything that is not an address, which only a
 * careless proxy passes on, shares one key.
 *
 * @param address as the connection or a trusted proxy gives it; a port, brackets and a zone are ignored
 */
export function clientNetwork(address: string): string {
  const bare = withoutPort(address.trim());
  const family = isIP(bare);
  if (family === 4) return bare;
  if (family === 0) return 'unknown';
  const groups = groupsOf(bare.replace(/%.*$/, ''));
  const mapped = MAPPED.exec(groups.join(':'));
  if (mapped !== null) return dotted(`${mapped[1]}`, `${mapped[2]}`);
  return `${groups.slice(0, PREFIX_GROUPS).join(':')}::/64`;
}

function withoutPort(address: string): string {
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? /^\[([^\]]*)\](?::\d+)?$/.exec(address);
  return withPort?.[1] ?? address;
}

/** The eight groups of an IPv6 address. The URL parser normalizes the many spellings of one address. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...before, ...new Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

function dotted(high: string, low: string): string {
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}
