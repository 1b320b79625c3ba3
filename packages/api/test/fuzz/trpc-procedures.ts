import * as z from 'zod';
import type { RouteMeta } from '../../src/procedure/route-meta.ts';
import { appRouter } from '../../src/transport/trpc/app-router.ts';
import type { Schema } from './schema-values.ts';

/** A procedure, with what calls of it are made of and held against. */
export interface FuzzProcedure {
  readonly name: string;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly input: Schema;
  /** The schema of its answer; null where that is a stream, and where nothing is answered. */
  readonly output: object | null;
  /** Its place in REST. */
  readonly place: { readonly method: string; readonly path: string };
}

interface Definition {
  readonly type: FuzzProcedure['type'];
  readonly inputs: readonly z.ZodType[];
  readonly output?: z.ZodType;
  readonly meta: RouteMeta;
}

/** Every procedure that there is. */
export function fuzzProcedures(): FuzzProcedure[] {
  const procedures = appRouter._def.procedures as unknown as Record<string, { readonly _def: Definition }>;
  return Object.entries(procedures).map(
    ([
      name,
      {
        _def: { type, inputs, output, meta },
      },
    ]) => ({
      name,
      type,
      input: (inputs[0] === undefined
        ? {}
        : z.toJSONSchema(inputs[0], { io: 'input', unrepresentable: 'any' })) as Schema,
      output:
        output === undefined || output instanceof z.ZodVoid ? null : z.toJSONSchema(output, { unrepresentable: 'any' }),
      place: { method: meta.openapi?.method ?? 'GET', path: `/api${meta.openapi?.path ?? meta.sse?.path}` },
    }),
  );
}
