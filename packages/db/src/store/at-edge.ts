import type { Database } from '../engine/database.ts';

type Methods<Store> = { [Name in keyof Store]: (...args: never[]) => Promise<unknown> };

/**
 * Wraps a store, as all others get it: before each of its methods the event loop turns when it is time (`Database.turn`), and
 * its errors pass through `failure`. Done here and not at each query, because drizzle wraps driver errors in one that contains
 * the query and its parameters. Never inside a transaction: those await their own queries alone.
 */
export function atEdge<Store extends Methods<Store>>(
  store: Store,
  { turn, failure }: Pick<Database, 'turn' | 'failure'>,
): Store {
  const methods = Object.entries(store) as [string, (...args: unknown[]) => Promise<unknown>][];
  const wrapped = methods.map(([name, method]) => {
    const call = async (...args: unknown[]) => {
      const turned = turn();
      if (turned !== null) await turned;
      try {
        return await method(...args);
      } catch (error) {
        throw failure(error);
      }
    };
    return [name, call] as const;
  });
  return Object.fromEntries(wrapped) as unknown as Store;
}
