import type { ApiOptions } from '../../service/api-deps.ts';

/** Fixed by the interface: every client knows this name. */
export const SESSION_COOKIE = 'access_token';

/** The `Set-Cookie` value that gives a client its session. */
export function sessionCookie({ publicUrl, sessionTtlMs }: ApiOptions, token: string): string {
  return `${SESSION_COOKIE}=${token}; Max-Age=${Math.floor(sessionTtlMs / 1_000)}; ${attributes(publicUrl)}`;
}

/** The `Set-Cookie` value that removes it. */
export function endedCookie({ publicUrl }: ApiOptions): string {
  return `${SESSION_COOKIE}=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${attributes(publicUrl)}`;
}

/** The session's token in a `Cookie` header, or null. */
export function readSessionCookie(header: string | undefined): string | null {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === SESSION_COOKIE) return pair.slice(at + 1).trim() || null;
  }
  return null;
}

/** Lax: a Strict cookie is not sent when the code host redirects back, and linking would turn into a login. */
function attributes(publicUrl: URL): string {
  const secure = publicUrl.protocol === 'https:' ? '; Secure' : '';
  return `Path=/; HttpOnly; SameSite=Lax${secure}`;
}
