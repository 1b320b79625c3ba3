import type { CookieStore, StoredCookie } from './cookie-store.ts';
import { cookieHeader, parseSetCookie } from './set-cookie.ts';

const MAX_COOKIES = 20; // the service sets two; a store must not grow at a server's will

export interface CookieJar {
  /** The `Cookie` header for a request, or null. */
  headerFor(url: URL): Promise<string | null>;
  /** Takes over what an answer sets and clears, and waits until it is kept. */
  takeFrom(url: URL, headers: Headers): Promise<void>;
}

/** The cookies of one origin. What is for another one is neither sent nor taken. */
export function createCookieJar(store: CookieStore, origin: string): CookieJar {
  let loading: Promise<readonly StoredCookie[]> | null = null;
  let cookies: readonly StoredCookie[] = [];
  const load = async () => {
    loading ??= Promise.resolve(store.load(origin)).then((kept) => {
      cookies = kept;
      return kept;
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
        cookies = set.over ? others : [...others, set.cookie].slice(-MAX_COOKIES);
      }
      if (changed) await store.save(origin, cookies);
    },
  };
}
