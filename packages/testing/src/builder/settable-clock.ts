import type { Clock } from '@sluice/core/async';

/** A clock that moves only when it is set. */
export interface SettableClock extends Clock {
  set(to: Date): void;
  /** Goes on by that many milliseconds. */
  advance(ms: number): void;
}

export function settableClock(start = new Date('2026-11-20T09:15:00.000Z')): SettableClock {
  let present = start.getTime();
  return {
    now: () => new Date(present),
    set: (to) => {
      present = to.getTime();
    },
    advance: (ms) => {
      present += ms;
    },
  };
}
