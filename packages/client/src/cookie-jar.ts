import type { CookieStore, StoredCookie } from './cookie-store.ts';
import { cookieHeader, parseSetCookie } from './set-cookie.ts';

const MAX_COOKIES = 20; // the service sets two, and a proxy may add its own; a server must not fill the store

export interface CookieJar {
  /** The `Cookie` header for a request, or null. */
  headerFor(url: URL): Promise<string | null>;
  /** Applies the `Set-Cookie` headers of a response, and resolves once they are stored. */
  takeFrom(url: URL, headers: Headers): Promise<void>;
}

/** The cookies of one origin. Requests to other origins get none, and their cookies are ignored. */
export function createCookieJar(store: CookieStore, origin: string): CookieJar {
  let loading: Promise<readonly StoredCookie[]> | null = null;
  let cookies: readonly StoredCookie[] = [];
  const load = async () => {
    loading ??= Promise.resolve(store.load(origin)).then((stored) => {
      cookies = stored;
      return stored;
    });
    await loading;
  };
  return {
    async headerFor(url) {
      await load();
      return url.origin === origin ? cookieHeader(cookies, url, new Date()) : null;
    },
    async takeFrom(url, headers) {
      const lines = headers.getSetCookie();
      if (lines.length === 0 || url.origin !== origin) return;
      await load();
      const now = new Date();
      let changed = false;
      for (const line of lines) {
        const set = parseSetCookie(line, url, now);
        if (set === null) continue;
        changed = true;
        const others = cookies.filter(({ name, path }) => name !== set.cookie.name || path !== set.cookie.path);
        cookies = set.isRemoval ? others : [...others, set.cookie].slice(-MAX_COOKIES);
      }
      if (changed) await store.save(origin, cookies);
    },
  };
}
