import { isIP } from 'node:net';
import { AppError } from '@sluice/core/error';
import type { ApiOptions } from '../../service/api-deps.ts';

interface SignInRequest {
  readonly head: {
    readonly host: string | undefined;
    readonly origin: string | undefined;
    readonly fetchSite: string | undefined;
  };
  readonly options: Pick<ApiOptions, 'publicUrl'>;
}

/**
 * Refuses a sign-in that a page of another site sends. Browsers drop a `SameSite=Lax` cookie in the answer to it without a
 * word: the sign-in would succeed, and every later request be without a session. The page's origin is an allowed one, or it
 * would have been refused before.
 *
 * @throws AppError `cross_site_login`
 */
export function refuseCrossSite({ head, options }: SignInRequest): void {
  const { host, origin, fetchSite } = head;
  if (origin === undefined || !URL.canParse(origin)) return; // no page sends it
  const page = new URL(origin);
  const { publicUrl } = options;
  if (!isCrossSite(page.hostname, [hostnameOf(host), publicUrl.hostname], fetchSite)) return;
  const example = isSingle(page.hostname)
    ? `call Sluice at ${publicUrl.protocol}//${page.hostname}${publicUrl.port === '' ? '' : `:${publicUrl.port}`}`
    : 'put both under one domain, as console.example.com and sluice.example.com are';
  // A name that the browser did not confirm may be that of a proxy's target.
  const proxied =
    fetchSite === undefined
      ? ' Behind a proxy that changes the Host header, set PUBLIC_URL to the address that browsers open.'
      : '';
  throw new AppError('cross_site_login', {
    detail: `The page at ${page.origin} is on another site than Sluice at ${host ?? publicUrl.host}, so the browser would drop the session cookie. Use the same host name for both: ${example}.${proxied}`,
  });
}

/** By the browser's own word; without it, as towards a plain http address, by names that cannot be of one site. */
function isCrossSite(page: string, service: readonly string[], fetchSite: string | undefined): boolean {
  if (fetchSite !== undefined) return fetchSite === 'cross-site';
  return service.every((name) => widestSite(name) !== widestSite(page));
}

/** The last two labels of a name: no site is wider, so names that differ in them are of two sites. An address is its own. */
function widestSite(name: string): string {
  return isSingle(name) ? name : name.split('.').slice(-2).join('.');
}

function isSingle(name: string): boolean {
  return !name.includes('.') || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

function hostnameOf(host = ''): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
}
