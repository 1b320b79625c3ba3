/**
 * The path and query of a request target, which may also be a whole URL (RFC 9112 3.2.2). Null when it is neither:
 * `*`, what no URL parser takes, or what has a fragment, which no target has and each parser cuts off elsewhere.
 */
export function pathOfTarget(target: string): string | null {
  if (target.includes('#')) return null;
  if (target.startsWith('/')) return target;
  if (!/^https?:\/\//i.test(target)) return null;
  try {
    const { pathname, search } = new URL(target);
    return pathname + search;
  } catch {
    return null;
  }
}
