import type { StoredCookie } from './cookie-store.ts';

// RFC 6265, section 6.1, requires support for cookies of this size. A Sluice server sends shorter ones.
const MAX_LENGTH = 4_096;
// RFC 6265, section 4.1.1: no control characters and no separators.
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/** Parses one `Set-Cookie` line, which may remove a cookie. Null when the cookie is invalid or for another server. */
export function parseSetCookie(line: string, url: URL, now: Date): { cookie: StoredCookie; isRemoval: boolean } | null {
  if (line.length > MAX_LENGTH) return null;
  const [pair = '', ...rest] = line.split(';');
  const [name, value] = halves(pair);
  if (value === null || !NAME.test(name) || !VALUE.test(value)) return null;
  const attributes = new Map(
    rest.map((one) => halves(one)).map(([key, content]) => [key.toLowerCase(), content ?? '']),
  );

  const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase() ?? '';
  // A cookie for a whole domain is only sent to this server, the only one that the client calls.
  if (domain !== '' && domain !== url.hostname && !url.hostname.endsWith(`.${domain}`)) return null;
  const secure = attributes.has('secure');
  if (secure && url.protocol !== 'https:') return null;

  const path = attributes.get('path') ?? '';
  const expires = expiry(attributes, now);
  return {
    cookie: {
      name,
      value,
      path: path.startsWith('/') ? path : defaultPath(url.pathname),
      secure,
      expires_at: expires?.toISOString() ?? null,
    },
    isRemoval: value === '' || (expires !== null && expires <= now),
  };
}

/** The `Cookie` header of a request, or null when no cookie applies to it. */
export function cookieHeader(cookies: readonly StoredCookie[], url: URL, now: Date): string | null {
  const sent = cookies.filter(
    ({ path, secure, expires_at }) =>
      (!secure || url.protocol === 'https:') &&
      (expires_at === null || new Date(expires_at) > now) &&
      isUnder(url.pathname, path),
  );
  return sent.length === 0 ? null : sent.map(({ name, value }) => `${name}=${value}`).join('; ');
}

function halves(text: string): [string, string | null] {
  const at = text.indexOf('=');
  return at === -1 ? [text.trim(), null] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

const LATEST = Date.UTC(9999, 11, 31);

/** `Max-Age` takes precedence over `Expires`; an unreadable attribute is ignored. */
function expiry(attributes: ReadonlyMap<string, string>, now: Date): Date | null {
  const maxAge = attributes.get('max-age') ?? '';
  if (/^-?\d+$/.test(maxAge)) return new Date(Math.min(LATEST, Math.max(0, now.getTime() + Number(maxAge) * 1_000)));
  const expires = Date.parse(attributes.get('expires') ?? '');
  return Number.isNaN(expires) ? null : new Date(Math.min(LATEST, expires));
}

function defaultPath(pathname: string): string {
  return pathname.slice(0, pathname.lastIndexOf('/')) || '/';
}

function isUnder(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}
