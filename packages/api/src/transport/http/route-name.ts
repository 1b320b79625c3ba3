import type { ServerResponse } from 'node:http';

const names = new WeakMap<ServerResponse, string>();

/** Records the route that answers a request. */
export function nameRoute(res: ServerResponse, route: string): void {
  names.set(res, route);
}

/** The route of a request as the document writes it (`/api/issues/{id}`), never the path that was sent; null without one. */
export function routeOf(res: ServerResponse): string | null {
  return names.get(res) ?? null;
}
