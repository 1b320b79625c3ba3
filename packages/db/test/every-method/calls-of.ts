import type { Stores } from '../../src/index.ts';
import type { World } from './world.ts';

/** Prepares what a call needs, and returns the call: so that it alone is counted and measured. */
export type Arrange = (world: World) => Promise<() => Promise<unknown>>;

export type StoreName = Exclude<keyof Stores, 'close' | symbol>;

/** Every method of these stores: one call of it, or several by name. A new method does not compile until it is here. */
export type CallsOf<Names extends StoreName> = {
  readonly [Name in Names]: { readonly [Method in keyof Stores[Name]]: Arrange | Readonly<Record<string, Arrange>> };
};
