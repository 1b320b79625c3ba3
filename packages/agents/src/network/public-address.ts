import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 ranges that are not the public internet, and one address of a cloud's own that looks as if it were. */
const notPublic4 = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

const global6 = blockList(['2000::/3']);
/** Within the global range: special use, tunnels that carry an IPv4 address, documentation. */
const notPublic6 = blockList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Whether an address belongs to the public internet. IPv6 forms that carry an IPv4 address are judged by it. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic4.check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  const inner = embeddedIpv4(address);
  if (inner !== null) return isPublicAddress(inner);
  return !address.includes('%') && global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6');
}

/** The IPv4 address that an IPv6 one stands for: IPv4-mapped, or made by DNS64 of a name that has no other; else null. */
export function embeddedIpv4(address: string): string | null {
  const groups = isIPv6(address) ? groupsOf(address) : null;
  if (groups === null) return null;
  const head = groups.slice(0, 6).join(':');
  return head === '0:0:0:0:0:65535' || head === '100:65435:0:0:0:0' ? embedded(groups) : null;
}

/** The eight groups as numbers; null for an address with a zone, which is never public. */
function groupsOf(address: string): number[] | null {
  if (address.includes('%')) return null;
  const normal = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = '', right] = normal.split('::');
  const parse = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const before = parse(left);
  const after = right === undefined ? [] : parse(right);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function embedded(groups: readonly number[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}
