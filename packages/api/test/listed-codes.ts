import { refusalCodes } from '../src/openapi/refusal-responses.ts';
import { createFindRoute } from '../src/transport/rest/find-route.ts';
import { routeTable } from '../src/transport/rest/route-table.ts';
import { appRouter } from '../src/transport/trpc/app-router.ts';

const findRoute = createFindRoute(routeTable(appRouter));

/**
 * Checks a refusal against the OpenAPI document.
 *
 * @throws Error when the document does not list the code of a refusal for its operation
 */
export function requireListed(
  { method, path }: { readonly method: string; readonly path: string },
  { code }: { readonly code?: unknown },
): void {
  const [target = ''] = path.split('?', 1);
  const found = target.startsWith('/api/') ? findRoute(method, target.slice('/api'.length)) : null;
  // A path that is not served, as by a worker, has no operation.
  if (found === null || 'allow' in found || code === 'route_not_found') return;
  const { route } = found;
  const listed: readonly unknown[] = refusalCodes(route);
  if (!listed.includes(code)) throw new Error(`${route.name} was refused with ${code}, which it does not list.`);
}
