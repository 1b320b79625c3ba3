import { matchesHost, parseHostPattern } from '../network/host-pattern.ts';
import { isPublicAddress } from '../network/public-address.ts';

/** A URL to which notifications may be sent, once its host has been resolved to public addresses. */
export interface NotificationAddress {
  readonly url: URL;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  /** Whether the operator listed the host: then its addresses may be private. */
  readonly mayBePrivate: boolean;
}

const HTTPS_PORT = 443;
const HTTP_PORT = 80;
const USUAL_PORTS = [HTTP_PORT, HTTPS_PORT];

/**
 * Checks the URL of a webhook before anything is resolved: https to a public host, or what the operator allows.
 *
 * @param allowHosts entries of NOTIFY_ALLOW_HOSTS: a name, `*.suffix` or an address, each with or without `:port`
 * @returns the reason where it is refused
 */
export function notificationAddress(text: string, allowHosts: readonly string[]): NotificationAddress | string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return 'is not an http or https URL';
  if (url.username !== '' || url.password !== '') return 'contains a user name or a password';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (host === '' || host.endsWith('.')) return 'has no host name, or one with a dot at its end';
  const port = url.port === '' ? (url.protocol === 'https:' ? HTTPS_PORT : HTTP_PORT) : Number(url.port);
  if (port === 0) return 'has the port 0';
  const mayBePrivate = isListed(allowHosts, url.hostname, port);
  if (url.protocol === 'http:' && !mayBePrivate)
    return 'is not https (the operator can list its host in NOTIFY_ALLOW_HOSTS)';
  if (isAddress(url.hostname) && !mayBePrivate && !isPublicAddress(host)) return NOT_PUBLIC;
  return { url, host, port, mayBePrivate };
}

/** Why a host is refused, wherever that is found out. */
export const NOT_PUBLIC = 'has an address that is not public (the operator can list its host in NOTIFY_ALLOW_HOSTS)';

/** Whether an entry can be one of NOTIFY_ALLOW_HOSTS. */
export function isAllowHostsEntry(entry: string): boolean {
  if (parseHostPattern(entry) !== null) return true;
  const url = URL.canParse(`http://${entry}`) ? new URL(`http://${entry}`) : null;
  return url !== null && isAddress(url.hostname) && (entry === url.hostname || entry === url.host);
}

function isListed(entries: readonly string[], host: string, port: number): boolean {
  if (isAddress(host)) {
    return entries.includes(`${host}:${port}`) || (USUAL_PORTS.includes(port) && entries.includes(host));
  }
  const patterns = entries.map(parseHostPattern).filter((pattern) => pattern !== null);
  return matchesHost(patterns, host, port);
}

/** Whether a host is an address, once the URL parser has written it: it turns every spelling of an address into one. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}
