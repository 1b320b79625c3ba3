import type { StoredCookie } from './cookie-store.ts';

// RFC 6265 6.1 asks for at least this much of one cookie; a server that sends more is not one of ours.
const MAX_LENGTH = 4_096;
// What a header can carry: no control characters, and none of what ends a cookie.
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/** One `Set-Cookie` line as a cookie; `over` when it takes the cookie away. Null for one that is not to be kept. */
export function parseSetCookie(line: string, url: URL, now: Date): { cookie: StoredCookie; over: boolean } | null {
  if (line.length > MAX_LENGTH) return null;
  const [pair = '', ...rest] = line.split(';');
  const [name, value] = halves(pair);
  if (value === null || !NAME.test(name) || !VALUE.test(value)) return null;
  const attributes = new Map(rest.map((one) => halves(one)).map(([key, said]) => [key.toLowerCase(), said ?? '']));

  const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase() ?? '';
  // A cookie for a whole domain is kept for its one server alone: no other one is ever spoken to.
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
    over: value === '' || (expires !== null && expires <= now),
  };
}

/** The `Cookie` header for a request, or null when no cookie is for it. */
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

/** `Max-Age` wins over `Expires`; what cannot be read counts as not said. */
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
