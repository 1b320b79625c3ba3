import type { ServerResponse } from 'node:http';

const names = new WeakMap<ServerResponse, string>();

/** Notes by which of our own routes a request is answered. */
export function nameRoute(res: ServerResponse, route: string): void {
  names.set(res, route);
}

/** The route of a request as the document has it (`/api/issues/{id}`), never as its caller wrote it; null: none of ours. */
export function routeOf(res: ServerResponse): string | null {
  return names.get(res) ?? null;
}
