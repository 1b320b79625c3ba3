import type { Database } from '../engine/database.ts';

type Methods<Store> = { [Name in keyof Store]: (...args: never[]) => Promise<unknown> };

/**
 * The store, with everything that it throws as the engine's `failure` has it. Here and not where the queries are made:
 * drizzle wraps whatever a driver threw in an error that holds the query and its parameters.
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
