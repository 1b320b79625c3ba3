import { isLoopbackName } from '../http/allowed-origins.ts';

/**
 * Where a browser that came by another of this machine's names goes instead, or null. Cookies go by name, and the code
 * host sends browsers back to PUBLIC_URL alone. Only between names of the same port: behind a proxy the `Host` may be
 * the proxy's own word, and the browser would be sent around for ever.
 */
export function atPublicUrl(publicUrl: URL, asked: { host: string | undefined; path: string }): string | null {
  const { host = '' } = asked;
  const here = URL.canParse(`${publicUrl.protocol}//${host}`) ? new URL(`${publicUrl.protocol}//${host}`) : null;
  if (here === null || here.host === publicUrl.host || here.port !== publicUrl.port) return null;
  if (!isLoopbackName(here.hostname) || !isLoopbackName(publicUrl.hostname)) return null;
  return `${publicUrl.origin}${asked.path}`;
}
