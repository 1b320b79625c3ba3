import { useEffect, useState } from 'react';

/** The latest of some values, for work that goes on over many renders. */
export interface Latest<Value> {
  current(): Value;
  /** Waits for the next one; less when aborted. */
  next(signal: AbortSignal): Promise<void>;
}

/** Keeps the latest value for work that goes on over many renders. @param value compared by identity: another one is the next */
export function useLatest<Value>(value: Value): Latest<Value> {
  const [{ latest, set }] = useState(() => createLatest(value));
  useEffect(() => set(value), [set, value]);
  return latest;
}

function createLatest<Value>(first: Value) {
  let current = first;
  let wake = () => {};
  const latest: Latest<Value> = {
    current: () => current,
    next: (signal) =>
      new Promise((resolve) => {
        wake = () => {
          signal.removeEventListener('abort', wake);
          resolve();
        };
        signal.addEventListener('abort', wake);
      }),
  };
  const set = (value: Value) => {
    if (value === current) return;
    current = value;
    wake();
  };
  return { latest, set };
}
