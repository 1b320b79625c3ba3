import { AppError } from '@sluice/core';
import type { Request, Response } from 'express';
import { readBody } from '../http/read-body.ts';
import { queryOf } from '../http/request-target.ts';
import type { Route } from './route-table.ts';

/**
 * Reads what a request brings besides its path: the body of a POST or PATCH, the query of the others. A member that
 * the path has already, or one in the place where the route does not look, is refused like any unknown one.
 *
 * @throws AppError `validation_failed`; what `readBody` throws
 */
export async function readRouteInput(req: Request, res: Response, route: Route): Promise<Record<string, unknown>> {
  const query = parseQuery(req.url, route.lists);
  const params = req.params as Record<string, string>;
  if (!takesBody(route)) return { ...requireKnown(query, route.params), ...params };
  requireKnown(query, Object.keys(query));
  return { ...requireKnown(await readBody(req, res), route.params), ...params };
}

export function takesBody({ method }: Pick<Route, 'method'>): boolean {
  return method !== 'GET' && method !== 'DELETE';
}

/** Every value of every name; one that came once is itself where no list is meant, more are a list. */
function parseQuery(url: string, lists: readonly string[]): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  const given = queryOf(url);
  for (const name of new Set(given.keys())) {
    const values = given.getAll(name);
    const [first] = values;
    query[name] = values.length === 1 && first !== undefined && !lists.includes(name) ? first : values;
  }
  return query;
}

function requireKnown<T extends Record<string, unknown>>(input: T, unknown: readonly string[]): T {
  // `__proto__` is never a member: copied by assignment it would vanish instead of being refused.
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
