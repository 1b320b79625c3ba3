import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Random } from './random.ts';
import type { Trace } from './trace.ts';

/** The owner of work: work of a frozen process waits, that of a dead one never happens. */
export interface Owner {
  readonly name: string;
  isRunning(): boolean;
  isDead(): boolean;
}

/** Something that can happen next. */
interface Parked {
  readonly label: string;
  /** Null: the network, or people. */
  readonly owner: Owner | null;
  /** Whether it can happen now. Left out: yes. */
  isReady?(): boolean;
  /** Lets it happen. The step ends when a returned promise has settled. */
  go(): unknown;
}

interface Timer {
  readonly due: number;
  readonly owner: Owner;
  readonly act: () => void;
}

/**
 * Decides what happens next. Everything that may happen is parked here, and one entry at a time goes on. Time is virtual: it
 * passes between steps, and jumps to the next timer where nothing else is left to do.
 */
export interface Schedule {
  /** Virtual milliseconds since the start. */
  now(): number;
  /** Parks an entry. Returns a function that takes it back. */
  park(entry: Parked): () => void;
  /** Calls `act` after `ms`, unless its owner dies. Returns a function that cancels it. */
  after(owner: Owner, ms: number, act: () => void): () => void;
  /** Forgets everything of a process that died. */
  forget(owner: Owner): void;
  /** Lets one thing happen. @returns false when nothing is left that ever could */
  step(): Promise<boolean>;
  /** Resolves when whatever is not parked has come to a rest. */
  rest(): Promise<void>;
  readonly steps: number;
}

/** The longest step: leases end and deadlines pass while calls are under way. */
const SLOW_MS = 18_000;
const USUAL_MS = 12;

export function createSchedule({
  random,
  trace,
  faults,
  isBusy,
}: {
  random: Random;
  trace: Trace;
  faults: { readonly slow: number };
  /** Whether something that is not parked is under way, and ends by itself. */
  isBusy: () => boolean;
}): Schedule {
  const parked = new Set<Parked>();
  const timers = new Set<Timer>();
  let time = 0;
  let steps = 0;

  function ready(): Parked[] {
    const found: Parked[] = [];
    for (const entry of parked) {
      if (entry.owner?.isRunning() === false || entry.isReady?.() === false) continue;
      found.push(entry);
    }
    for (const timer of timers) {
      if (timer.due > time || !timer.owner.isRunning()) continue;
      found.push({ label: 'timer', owner: timer.owner, go: () => fire(timer) });
    }
    return found;
  }

  function fire(timer: Timer): void {
    timers.delete(timer);
    timer.act();
  }

  /** The time of the next timer that can fire, or null. */
  function nextDue(): number | null {
    let next: number | null = null;
    for (const { due, owner } of timers) if (owner.isRunning() && (next === null || due < next)) next = due;
    return next;
  }

  async function rest(): Promise<void> {
    // Our code defers by immediates, at most twice after a call of a store, which may have ended in the turn before.
    for (let quiet = 0; quiet < 3; ) {
      await nextTurn();
      quiet = isBusy() ? 0 : quiet + 1;
    }
  }

  return {
    now: () => time,
    get steps() {
      return steps;
    },
    park(entry) {
      parked.add(entry);
      return () => void parked.delete(entry);
    },
    after(owner, ms, act) {
      const timer = { due: time + Math.max(0, ms), owner, act };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    forget(owner) {
      for (const entry of parked) if (entry.owner === owner) parked.delete(entry);
      for (const timer of timers) if (timer.owner === owner) timers.delete(timer);
    },
    async step() {
      steps += 1;
      let choices = ready();
      if (choices.length === 0) {
        const due = nextDue();
        if (due === null) return false;
        time = Math.max(time, due);
        choices = ready();
      }
      const chosen = random.pick(choices);
      parked.delete(chosen);
      time += random.below(random.chance(faults.slow) ? SLOW_MS : USUAL_MS);
      trace.add(`${Math.round(time)} ${chosen.owner?.name ?? '-'} ${chosen.label}`);
      const going = chosen.go();
      if (going instanceof Promise) await going.catch(() => undefined);
      await rest();
      return true;
    },
    rest,
  };
}
