import { type AnyTRPCProcedure, type AnyTRPCRouter, callTRPCProcedure } from '@trpc/server';
import * as z from 'zod';
import type { RequestContext } from '../../procedure/request-context.ts';
import type { RouteMeta } from '../../procedure/route-meta.ts';

/** A procedure's place in REST. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path in the document, e.g. `/issues/{id}`. */
  readonly path: string;
  /** The procedure's name, e.g. `issues.get`. */
  readonly name: string;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly input: unknown;
  readonly output: unknown;
  readonly meta: RouteMeta;
  readonly params: readonly string[];
  /** The members that are lists: a query that has one of them once has a list of one. */
  readonly lists: readonly string[];
  /**
   * Calls the procedure.
   *
   * @param readInput called once the caller is admitted, so that the body of a request that is not admitted is never read
   * @throws TRPCError for whatever the procedure refuses or fails with
   */
  readonly call: (ctx: RequestContext, readInput: () => Promise<unknown>) => Promise<unknown>;
}

/** The parts that tRPC keeps of a procedure. Its types have the schemas of inputs and outputs only once they are inferred. */
interface Definition {
  readonly type: Route['type'];
  readonly meta?: RouteMeta;
  readonly inputs: readonly unknown[];
  readonly output?: unknown;
}

/**
 * Every procedure that has a place in REST, streams included.
 *
 * @throws Error for one without admission, or with several inputs
 */
export function routeTable(router: AnyTRPCRouter): Route[] {
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures;
  return Object.entries(procedures).flatMap(([name, procedure]) => {
    const { type, meta = {}, inputs, output }: Definition = procedure._def as never;
    const place = meta.openapi ?? (meta.sse === undefined ? undefined : { method: 'GET', path: meta.sse.path });
    if (place === undefined) return [];
    if (meta.session === undefined)
      throw new Error(`The procedure ${name} does not check who calls it: build it from procedure.ts.`);
    const { path } = place;
    const [input, ...more] = inputs;
    if (more.length > 0) throw new Error(`The procedure ${name} has several inputs: combine them into one schema.`);
    const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param);
    const call: Route['call'] = (ctx, readInput) =>
      callTRPCProcedure({ router, path: name, type, ctx, getRawInput: readInput, signal: ctx.signal, batchIndex: 0 });
    const method = place.method as Route['method'];
    return [{ method, path, name, type, input, output, meta, params, lists: listsOf(input), call }];
  });
}

/** The members of a route's input, by name. */
export function membersOf(input: unknown): Readonly<Record<string, z.ZodType>> {
  const object = required(input);
  return object instanceof z.ZodObject ? object.shape : {};
}

function listsOf(input: unknown): string[] {
  return Object.entries(membersOf(input)).flatMap(([name, member]) =>
    required(member) instanceof z.ZodArray ? [name] : [],
  );
}

const required = (schema: unknown) => (schema instanceof z.ZodOptional ? schema.unwrap() : schema);
