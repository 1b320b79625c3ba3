import { z } from 'zod';

/** IPv4 ranges outside the public internet, and one of a cloud's internal addresses that looks public. */
const special4 = [
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
].map(parseRange);

const global6 = parseRange('2000::/3');
/** Within the global range: special use, tunnels that carry an IPv4 address, documentation. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(parseRange);

/** Whether an address belongs to the public internet. An IPv6 form that carries an IPv4 address counts as that address. */
export function isPublicAddress(address: string): boolean {
  const four = octetsOf(address);
  if (four !== null) return !special4.some((range) => contains(range, bitsOf(four, 8)));
  const inner = embeddedIpv4(address);
  if (inner !== null) return isPublicAddress(inner);
  const six = groupsOf(address);
  if (six === null) return false;
  const bits = bitsOf(six, 16);
  return contains(global6, bits) && !special6.some((range) => contains(range, bits));
}

/** The IPv4 address that an IPv6 address stands for (IPv4-mapped or DNS64), or null. */
export function embeddedIpv4(address: string): string | null {
  const groups = groupsOf(address);
  if (groups === null) return null;
  const head = groups.slice(0, 6).join(':');
  if (head !== '0:0:0:0:0:65535' && head !== '100:65435:0:0:0:0') return null;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

interface Range {
  /** The leading bits that all addresses of the range share. */
  readonly prefix: string;
}

function parseRange(text: string): Range {
  const [network = '', length] = text.split('/');
  const octets = octetsOf(network);
  const bits = octets === null ? bitsOf(groupsOf(network) ?? [], 16) : bitsOf(octets, 8);
  return { prefix: bits.slice(0, Number(length)) };
}

function contains({ prefix }: Range, bits: string): boolean {
  return bits.startsWith(prefix);
}

function bitsOf(parts: readonly number[], width: number): string {
  return parts.map((part) => part.toString(2).padStart(width, '0')).join('');
}

/** The four numbers of an IPv4 address; null for any other text. */
function octetsOf(address: string): number[] | null {
  return z.ipv4().safeParse(address).success ? address.split('.').map(Number) : null;
}

/** The eight groups of an IPv6 address; null for any other text, and for an address with a zone, which is never public. */
function groupsOf(address: string): number[] | null {
  if (!/^[0-9a-f:.]*$/i.test(address) || !URL.canParse(`http://[${address}]`)) return null;
  // The URL parser writes any IPv6 address in its shortest form, without dotted decimals.
  const [left = '', right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const parse = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const before = parse(left);
  const after = right === undefined ? [] : parse(right);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}
