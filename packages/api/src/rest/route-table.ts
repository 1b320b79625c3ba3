import type { AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';
import * as z from 'zod';
import type { RouteMeta } from '../procedure/route-meta.ts';
import { type ProcedureSteps, stepsOf } from './execute-procedure.ts';

/** A procedure's place in REST. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path in the document, e.g. `/issues/{id}`. */
  readonly path: string;
  /** The procedure's name, e.g. `issues.get`. */
  readonly name: string;
  readonly steps: ProcedureSteps;
  readonly meta: RouteMeta;
  readonly params: readonly string[];
  /** The members that are lists: a query that has one of them once has a list of one. */
  readonly lists: readonly string[];
}

/** Every procedure that has a place in REST, streams included. */
export function routeTable(router: AnyTRPCRouter): Route[] {
  const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures;
  return Object.entries(procedures).flatMap(([name, procedure]) => {
    const meta = (procedure._def.meta ?? {}) as RouteMeta;
    const place = meta.openapi ?? (meta.sse === undefined ? undefined : { method: 'GET', path: meta.sse.path });
    if (place === undefined) return [];
    const { path } = place;
    const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param);
    const lists = (procedure._def.inputs as unknown[]).flatMap(listsOf);
    return [
      { method: place.method as Route['method'], path, name, steps: stepsOf(name, procedure), meta, params, lists },
    ];
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
