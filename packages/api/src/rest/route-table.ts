import type { AnyRouter } from '@trpc/server';
import * as z from 'zod';
import type { RouteMeta } from '../procedure/route-meta.ts';

/** A procedure's place in REST. */
export interface Route {
  readonly method: string;
  /** As in the document, e.g. `/issues/{id}`. */
  readonly path: string;
  /** The procedure's name, e.g. `issues.get`. */
  readonly procedure: string;
  readonly meta: RouteMeta;
  readonly params: readonly string[];
  /** The members that are lists: in a query, one that came once is a list of one. */
  readonly lists: readonly string[];
  readonly pattern: RegExp;
}

export type FoundRoute =
  | { readonly kind: 'route'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  /** The path is known, the method is not; `allow` names those that are. */
  | { readonly kind: 'other_method'; readonly allow: readonly string[] };

/** Every procedure that has a place in REST, streams included. */
export function routeTable(router: AnyRouter): Route[] {
  const procedures: Record<string, { _def: { meta?: unknown; inputs?: unknown } }> = router._def.procedures;
  return Object.entries(procedures).flatMap(([procedure, { _def }]) => {
    const meta = (_def.meta ?? {}) as RouteMeta;
    const place = meta.openapi ?? (meta.sse === undefined ? undefined : { method: 'GET', path: meta.sse.path });
    if (place === undefined) return [];
    const params = [...place.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const pattern = new RegExp(`^${place.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const lists = ((_def.inputs ?? []) as unknown[]).flatMap(listsOf);
    return [{ method: place.method, path: place.path, procedure, meta, params, lists, pattern }];
  });
}

function listsOf(input: unknown): string[] {
  const object = required(input);
  if (!(object instanceof z.ZodObject)) return [];
  return Object.entries(object.shape).flatMap(([name, member]) =>
    required(member) instanceof z.ZodArray ? [name] : [],
  );
}

const required = (schema: unknown) => (schema instanceof z.ZodOptional ? schema.unwrap() : schema);

/** Finds the route of a request by exact path (case and slashes count); HEAD goes where GET goes. Null: no such path. */
export function findRoute(routes: readonly Route[], method: string, path: string): FoundRoute | null {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const here = routes.filter(({ pattern }) => pattern.test(path));
  const route = here.find((one) => one.method === wanted);
  if (route !== undefined) return { kind: 'route', route, params: { ...route.pattern.exec(path)?.groups } };
  if (here.length === 0) return null;
  const methods = here.map((one) => one.method);
  return { kind: 'other_method', allow: methods.includes('GET') ? [...methods, 'HEAD'] : methods };
}
