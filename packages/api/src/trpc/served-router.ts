import type { AnyTRPCProcedure } from '@trpc/server';
import { mergeRouters, router } from '../procedure/procedure.ts';
import { appRouter } from './app-router.ts';
import { oldNames } from './old-names.ts';

const aliases = Object.entries(oldNames).map(([old, name]) => [old, procedureAt(name)]);

/** The router as tRPC serves it: an old name has the very procedure, so that limit, scope and audit entries are the same. */
export const servedRouter = mergeRouters(appRouter, router(Object.fromEntries(aliases)));

/** @throws Error when there is no such procedure */
function procedureAt(name: string): AnyTRPCProcedure {
  const node = name.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], appRouter);
  if (typeof node !== 'function') throw new Error(`There is no procedure ${name}: correct old-names.ts.`);
  return node as AnyTRPCProcedure;
}
