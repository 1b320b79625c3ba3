import type { Route } from './route-table.ts';

/** The route of a request with the values of its path, as they were sent; or what its path allows; or null: no such path. */
export type FoundRoute = { readonly route: Route; readonly params: Readonly<Record<string, string>> };
export type FindRoute = (method: string, path: string) => FoundRoute | { readonly allow: readonly string[] } | null;

interface Pattern {
  readonly route: Route;
  /** The literal of each segment; null for a parameter. */
  readonly segments: readonly (string | null)[];
}

/**
 * Looks a request's route up by method and path. Paths are compared as they were sent: case, trailing slashes and encoded
 * characters count, so that an id with an encoded character, or a broken one, names nothing.
 */
export function createFindRoute(routes: readonly Route[]): FindRoute {
  const literal = Map.groupBy(
    routes.filter(({ params }) => params.length === 0),
    ({ path }) => path,
  );
  const patterns = Map.groupBy(
    routes.filter(({ params }) => params.length > 0).map(patternOf),
    ({ segments }) => segments.length,
  );
  return (method, path) => {
    const sought = method === 'HEAD' ? 'GET' : method;
    const exact = literal.get(path) ?? [];
    const route = exact.find((one) => one.method === sought);
    if (route !== undefined) return { route, params: NO_PARAMS };
    const sent = path.split('/');
    // A literal path can also match a pattern: `/issues/import` is `/issues/{id}` for other methods than its own.
    const matching = (patterns.get(sent.length) ?? []).filter((pattern) => matches(pattern, sent));
    const found = matching.find((one) => one.route.method === sought);
    if (found !== undefined) return { route: found.route, params: paramsOf(found, sent) };
    const allow = [...exact, ...matching.map((one) => one.route)].map((one): string => one.method);
    if (allow.length === 0) return null;
    return { allow: allow.includes('GET') ? [...allow, 'HEAD'] : allow };
  };
}

const NO_PARAMS = Object.freeze({});

function patternOf(route: Route): Pattern {
  const segments = route.path.split('/').map((segment) => (segment.startsWith('{') ? null : segment));
  return { route, segments };
}

function matches({ segments }: Pattern, sent: readonly string[]): boolean {
  return segments.every((segment, at) => (segment === null ? sent[at] !== '' : sent[at] === segment));
}

function paramsOf({ route, segments }: Pattern, sent: readonly string[]): Record<string, string> {
  const values = sent.filter((_, at) => segments[at] === null);
  return Object.fromEntries(route.params.map((name, at) => [name, values[at] ?? '']));
}
