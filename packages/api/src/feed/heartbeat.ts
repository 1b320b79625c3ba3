import { systemTimers, type Timers } from '@sluice/core/async';

/** Interval of keep-alives and of checks for missed signals on an open stream, on both transports. */
export const HEARTBEAT_MS = 15_000;

/** A thousand streams that check a thousand issues at once would block the event loop for a second. */
const PHASES = 60;

export interface Heartbeat {
  /** Calls `beat` once in every interval, and returns the way to stop it. */
  onBeat(subject: string, beat: () => void): () => void;
}

/** Spreads the beats of different subjects over the interval. The timer runs only while there is something to call. */
export function createHeartbeat(every: Timers['every'] = systemTimers.every): Heartbeat {
  const phases = Array.from({ length: PHASES }, () => new Set<() => void>());
  let stop: (() => void) | undefined;
  let phase = 0;
  let size = 0;
  const tick = () => {
    phase = (phase + 1) % PHASES;
    for (const beat of [...(phases[phase] ?? [])]) beat();
  };
  return {
    onBeat: (subject, beat) => {
      const beats = phases[phaseOf(subject)];
      const own = () => beat();
      beats?.add(own);
      size += 1;
      stop ??= every(HEARTBEAT_MS / PHASES, tick);
      return () => {
        if (beats?.delete(own) !== true) return;
        size -= 1;
        if (size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}

function phaseOf(subject: string): number {
  let sum = 0;
  for (const character of subject) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % PHASES;
}
