/**
 * The path and query of a request target, which may also be a whole URL (RFC 9112 3.2.2). Null when it is neither:
 * `*`, what no URL parser takes, or what has a fragment, which no target has and each parser cuts off elsewhere. Null as
 * well for a path that a URL parser reads as another one (`/a/../b`, `/a/%2e%2e/b`, `/a\\b`): a proxy that goes by its
 * reading would have let through something else than what is answered here.
 */
export function pathOfTarget(target: string): string | null {
  if (target.includes('#')) return null;
  if (target.startsWith('/')) return isPlain(target.split('?', 1)[0] ?? '') ? target : null;
  if (!/^https?:\/\//i.test(target)) return null;
  try {
    const { pathname, search } = new URL(target);
    const [written = ''] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?', 1);
    return (written || '/') === pathname ? pathname + search : null;
  } catch {
    return null;
  }
}

function isPlain(path: string): boolean {
  return new URL(`http://host${path}`).pathname === path;
}

/** What is asked for behind the path of a request. */
export function queryOf(url = ''): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}
