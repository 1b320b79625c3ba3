import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Remarks } from './compose-guidance.ts';
import type { RemarkStore } from './remark-store.ts';

/** The remarks that the parts of a plan write to. */
export const Remarking = createContext<RemarkStore | null>(null);

export function useRemarkStore(): RemarkStore {
  const store = useContext(Remarking);
  if (store === null) throw new Error('A field for remarks stands outside of a gate.');
  return store;
}

export function useRemarks(store: RemarkStore): Remarks {
  return useSyncExternalStore(store.subscribe, store.all);
}
