import { type Timers, timersOver } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import type { Random } from './random.ts';
import type { Owner, Schedule } from './schedule.ts';

/** How a process is cut off from its database: refused at once, or by silence until the connection times out. */
type Cut = 'refused' | 'silent';

/** Chances of faults at a call; all are 0 once faults have stopped. */
export interface CallFaults {
  /** The write is committed and its answer is lost. */
  lostAnswer: number;
  /** The answer of a write waits, so that its process may be frozen or die before it. */
  lateAnswer: number;
}

const CONNECT_TIMEOUT_MS = 5_000; // of the pool on Postgres

/** One simulated process: its calls are parked, its timers stand still while it is frozen. */
export interface SimProcess extends Owner {
  readonly timers: Timers;
  freeze(): void;
  thaw(): void;
  kill(): void;
  cut: Cut | null;
  /** Waits until the scheduler lets it go on. @throws the signal's reason when it fires first */
  gate(label: string, signal?: AbortSignal): Promise<void>;
  /** Parks each call of a port. */
  wrap<T extends object>(name: string, port: T, options: WrapOptions): T;
}

interface WrapOptions {
  /** Whether calls need the database. */
  readonly isStore?: boolean;
  /** Calls that are not parked: of no interest, and frequent. */
  readonly quiet?: RegExp;
  /** Calls that change something. */
  readonly writes?: RegExp;
  /** The share of calls that are parked; 1 if left out. */
  readonly share?: number;
}

export function createSimProcess(
  world: { schedule: Schedule; random: Random; faults: CallFaults },
  name: string,
): SimProcess {
  const { schedule, random, faults } = world;
  let isFrozen = false;
  let isDead = false;
  const never = new Promise<never>(() => undefined);

  const process: SimProcess = {
    name,
    cut: null,
    isRunning: () => !isFrozen && !isDead,
    isDead: () => isDead,
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
    },
    kill() {
      isDead = true;
      schedule.forget(process);
    },
    timers: timersOver({
      now: schedule.now,
      after: (ms, act) => (isDead ? () => undefined : schedule.after(process, ms, act)),
    }),
    gate(label, signal) {
      if (isDead) return never;
      if (signal?.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const take = schedule.park({
          label,
          owner: process,
          go: () => {
            signal?.removeEventListener('abort', abort);
            resolve();
          },
        });
        const abort = () => {
          take();
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', abort, { once: true });
      });
    },
    wrap: (port, target, options) => wrapped(port, target, options),
  };

  function wrapped<T extends object>(port: string, target: T, options: WrapOptions): T {
    const { quiet, writes, isStore = false, share = 1 } = options;
    return new Proxy(target, {
      get(from, key, receiver) {
        const member: unknown = Reflect.get(from, key, receiver);
        if (typeof member !== 'function') return member;
        const label = `${port}.${String(key)}`;
        const call = (args: unknown[]): unknown => member.apply(from, args);
        if (quiet?.test(label)) {
          return async (...args: unknown[]) => {
            if (isDead) return never;
            if (isStore && process.cut !== null) throw away();
            return call(args);
          };
        }
        const isWrite = writes?.test(label) ?? false;
        return async (...args: unknown[]) => {
          if (share < 1 && !random.chance(share)) return call(args);
          return parkedCall({ label: named(label, args), isStore, isWrite }, signalOf(args), () => call(args));
        };
      },
    });
  }

  async function parkedCall(
    { label, isStore, isWrite }: { label: string; isStore: boolean; isWrite: boolean },
    signal: AbortSignal | undefined,
    act: () => unknown,
  ): Promise<unknown> {
    if (isDead) return never;
    signal?.throwIfAborted();
    const answer = await new Promise<unknown>((resolve, reject) => {
      const stop = schedule.park({
        label,
        owner: process,
        async go() {
          signal?.removeEventListener('abort', abort);
          if (isStore && process.cut !== null) {
            if (process.cut === 'refused') return reject(away());
            schedule.after(process, CONNECT_TIMEOUT_MS, () => reject(away()));
            return;
          }
          try {
            const value = await act();
            if (isStore && isWrite && random.chance(faults.lostAnswer)) return reject(away());
            resolve(value);
          } catch (error) {
            reject(error);
          }
        },
      });
      const abort = () => {
        stop();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
    if (isDead) return never;
    if (isWrite && random.chance(faults.lateAnswer)) await process.gate(`${label} answered`);
    return answer;
  }

  return process;
}

function away(): AppError {
  return new AppError('not_ready', { detail: 'The database is away.' });
}

function signalOf(args: readonly unknown[]): AbortSignal | undefined {
  for (const arg of args) {
    if (arg instanceof AbortSignal) return arg;
    if (typeof arg === 'object' && arg !== null && 'signal' in arg && arg.signal instanceof AbortSignal)
      return arg.signal;
  }
  return undefined;
}

/** With what it is about, where that is an id: traces are read by people. */
function named(label: string, [first]: readonly unknown[]): string {
  if (typeof first === 'string') return `${label} ${first.slice(-4)}`;
  if (typeof first === 'object' && first !== null && 'issueId' in first) {
    const trigger = 'trigger' in first ? ` ${String(first.trigger)}` : '';
    return `${label} ${String(first.issueId).slice(-4)}${trigger}`;
  }
  return label;
}
