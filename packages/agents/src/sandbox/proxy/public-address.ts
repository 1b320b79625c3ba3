import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Private, loopback, link-local (the clouds' metadata services among them), shared, test, multicast and reserved ranges. */
const closed: readonly (readonly [net: string, prefix: number, family: 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
];

/** Of IPv6 only what is routed is open, and of that not the ranges that carry an IPv4 address inside. */
const openIpv6 = ['2000::', 3] as const;
const closedIpv6: readonly (readonly [net: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** Whether an address is one of the public Internet. Anything that is no address is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !listOf(closed).check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  const routed = new BlockList();
  routed.addSubnet(...openIpv6, 'ipv6');
  const inner = listOf(closedIpv6.map(([net, prefix]) => [net, prefix, 'ipv6'] as const));
  return routed.check(address, 'ipv6') && !inner.check(address, 'ipv6');
}

function listOf(ranges: typeof closed): BlockList {
  const list = new BlockList();
  for (const range of ranges) list.addSubnet(...range);
  return list;
}
