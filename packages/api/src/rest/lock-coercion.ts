import type { AnyRouter } from '@trpc/server';
import type { RouteMeta } from '../procedure/route-meta.ts';

/** The part of a zod schema that trpc-to-openapi looks at. */
interface SchemaDef {
  readonly type: string;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly options?: readonly Schema[];
}
interface Schema {
  readonly _zod: { readonly def: SchemaDef };
  readonly shape?: Readonly<Record<string, Schema>>;
}

const coercible = new Set(['number', 'boolean', 'bigint', 'date']);

/**
 * Keeps trpc-to-openapi from loosening the schemas. At the first request of a route it sets `coerce` on the very zod
 * nodes that the procedures validate with, and from then on, on both transports, `"false"` is `true` and `null` is 0.
 * Here every node that it could reach gets a `coerce` that stays unset.
 *
 * @throws Error when a query has a number or a boolean, which could then never be given: see `queryInteger`
 */
export function lockCoercion(router: AnyRouter): void {
  const procedures: Record<string, { _def: { meta?: unknown; inputs?: unknown } }> = router._def.procedures;
  for (const [name, { _def }] of Object.entries(procedures)) {
    const { openapi } = (_def.meta ?? {}) as RouteMeta;
    const takesQuery = openapi?.method === 'GET' || openapi?.method === 'DELETE';
    for (const input of (_def.inputs ?? []) as Schema[]) {
      for (const node of lockable(input)) {
        if (takesQuery) throw new Error(`${name} has a ${node.type} in its query; digits come as text there.`);
        Object.defineProperty(node, 'coerce', { get: () => undefined, set: () => {}, configurable: true });
      }
    }
  }
}

function* lockable(schema: Schema): Generator<SchemaDef> {
  const { def } = schema._zod;
  if (coercible.has(def.type)) yield def;
  // A pipe is a schema that reads its input by itself; the adapter does not look into it.
  if (def.type === 'pipe') return;
  const below = [def.innerType, def.element, ...(def.options ?? []), ...Object.values(schema.shape ?? {})];
  for (const one of below) if (one !== undefined) yield* lockable(one);
}
