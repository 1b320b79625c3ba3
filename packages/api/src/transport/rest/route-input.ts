import { AppError } from '@sluice/core/error';
import type { Request, Response } from 'express';
import { MAX_BODY_BYTES, MAX_UPLOAD_BYTES, readBody } from '../http/read-body.ts';
import { queryOf } from '../http/request-target.ts';
import type { FoundRoute } from './find-route.ts';
import type { Route } from './route-table.ts';

/**
 * Reads a route's input: the path's parameters with the body of a POST or PATCH, or with the query of the other methods. A
 * member that repeats a parameter, or that is in the wrong place, is refused like any unknown member.
 *
 * @throws AppError `validation_failed`; what `readBody` throws
 */
export async function readRouteInput(
  req: Request,
  res: Response,
  { route, params }: FoundRoute,
): Promise<Record<string, unknown>> {
  const query = parseQuery(req.url, route.lists);
  if (!takesBody(route)) return { ...requireKnown(query, route.params), ...params };
  requireKnown(query, Object.keys(query));
  const limit = route.meta.upload === true ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES;
  return { ...requireKnown(await readBody(req, res, limit), route.params), ...params };
}

export function takesBody({ method }: Pick<Route, 'method'>): boolean {
  return method !== 'GET' && method !== 'DELETE';
}

/** The query's members. A member that is repeated, or that the route declares as a list, is a list. */
function parseQuery(url: string, lists: readonly string[]): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  if (!url.includes('?')) return query;
  const given = queryOf(url);
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name);
    const [first] = values;
    query[name] = values.length === 1 && first !== undefined && !lists.includes(name) ? first : values;
  }
  return query;
}

function requireKnown<T extends Record<string, unknown>>(input: T, unknown: readonly string[]): T {
  // `__proto__` is never a member, but would vanish when it is copied instead of being refused.
  const refused = [...unknown, '__proto__'].filter((name) => Object.hasOwn(input, name));
  if (refused.length === 0) return input;
  const errors = refused.map((name) => ({
    path: name.slice(0, 200).toWellFormed(),
    message: 'is not a known field',
  }));
  const [first] = errors;
  throw new AppError('validation_failed', {
    detail: `The request is not valid. ${first?.path}: ${first?.message}.`,
    errors: errors.slice(0, 20),
  });
}
