import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** What `resolv.conf` says. */
export interface ResolverSettings {
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
export function parseResolverFile(text: string): ResolverSettings {
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
export function candidatesOf(name: string, { search, dots }: ResolverSettings): readonly string[] {
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
