import { useSyncExternalStore } from 'react';

const narrow = window.matchMedia('(max-width: 60rem)'); // below, a line of code does not fit twice

/** Whether the window is too narrow for two columns. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}
