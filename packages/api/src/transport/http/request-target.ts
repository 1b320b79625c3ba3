/**
 * The path and query of a request target, which may also be a whole URL (RFC 9112 3.2.2). Null for anything else: `*`, an
 * invalid URL, or a target with a fragment, which parsers cut off in different places. Null also for a path that a URL
 * parser normalizes to another (`/a/../b`, `/a/%2e%2e/b`, `/a\\b`): with two readings of one path, the request that a
 * proxy let through and the request that is answered could differ.
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

/** The form of most paths; without a dot, a backslash or an encoded character there is nothing to normalize. */
const SIMPLE = /^(?:\/[\w-]+)+$/;

function isPlain(path: string): boolean {
  if (SIMPLE.test(path)) return true;
  return new URL(`http://host${path}`).pathname === path;
}

/** The query of a request's URL. */
export function queryOf(url = ''): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}
