import { useSyncExternalStore } from 'react';

const TICK_MS = 15_000; // the smallest unit shown beside a relative time is the minute

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now(); // it has stood still since the last listener left
    timer = setInterval(tick, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  if (document.hidden) return; // a hidden tab costs nothing; it catches up within a tick
  now = Date.now();
  for (const listener of listeners) listener();
}

/** The time in milliseconds, refreshed every 15 seconds by one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
