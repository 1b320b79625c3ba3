import type { Database } from '../engine/database.ts';

type Methods<Store> = { [Name in keyof Store]: (...args: never[]) => Promise<unknown> };

/**
 * Wraps a store so that its errors pass through `failure`. Done here and not at each query, because drizzle wraps
 * driver errors in one that contains the query and its parameters.
 */
export function withFailures<Store extends Methods<Store>>(
  store: Store,
  { failure }: Pick<Database, 'failure'>,
): Store {
  const methods = Object.entries(store) as [string, (...args: unknown[]) => Promise<unknown>][];
  const wrapped = methods.map(([name, method]) => {
    const call = async (...args: unknown[]) => {
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
