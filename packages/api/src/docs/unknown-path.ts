import { AppError } from '@sluice/core/error';

/** What people and probes ask for, and what there is instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  '/api': '/api/docs',
  '/api/openapi.json': '/api/openapi.json',
  '/health': '/api/health/live',
  '/healthz': '/api/health/live',
  '/livez': '/api/health/live',
  '/readyz': '/api/health/ready',
  '/api/health': '/api/health/ready',
  '/openapi.json': '/api/openapi.json',
  '/swagger.json': '/api/openapi.json',
  '/login': '/api/auth/login',
  '/register': '/api/auth/register',
};

/** The path of a route as the document writes it (`/api/issues/{id}`), or null. */
export type FindPath = (path: string) => string | null;

/**
 * The refusal of a path that does not exist. It names the one that was probably meant: without a trailing slash, in lower
 * case, below `/api`. The path that was asked for is never repeated.
 */
export function unknownPath(path: string, findPath: FindPath): AppError {
  const bare = path.toLowerCase().replace(/\/+$/, '');
  const meant = INSTEAD[bare] ?? findPath(bare) ?? findPath(`/api${bare}`);
  if (meant === null) return new AppError('route_not_found');
  return new AppError('route_not_found', { detail: `There is no such path. Did you mean ${meant}?` });
}
