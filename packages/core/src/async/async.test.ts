import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createKeyedMutex } from './keyed-mutex.ts';
import { backoffMs, retry } from './retry.ts';
import { createSemaphore } from './semaphore.ts';
import { createSingleFlight } from './single-flight.ts';
import { sleep } from './sleep.ts';
import { MAX_TIMER_MS, systemTimers, timersOver } from './timers.ts';
import { untilAborted } from './until-aborted.ts';
import { settleAfterAbort, withDeadline } from './with-deadline.ts';

const never = () => new Promise<never>(() => {});
const reason = new Error('stopped');

function aborted(): AbortSignal {
  return AbortSignal.abort(reason);
}

describe('untilAborted', () => {
  it('gives the result, or throws the reason of a signal that fires before or during the wait', async () => {
    expect(await untilAborted(Promise.resolve(1), new AbortController().signal)).toBe(1);
    await expect(untilAborted(never(), aborted())).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = untilAborted(never(), controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});

describe('withDeadline', () => {
  it('leaves work behind that ignores its signal', async () => {
    await expect(withDeadline({ ms: 1 }, never)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('throws the error that the caller makes of a timeout, with its cause', async () => {
    const onTimeout = (cause: unknown) => new Error('The host did not answer.', { cause });
    const late = withDeadline({ ms: 1, onTimeout }, never);
    await expect(late).rejects.toMatchObject({ message: 'The host did not answer.', cause: { name: 'TimeoutError' } });
  });

  it.each([
    ['also where it ended by its own timeout', new DOMException('inner', 'TimeoutError')],
    ['whatever it is', reason],
  ])('throws the error of the work, %s', async (_what, error) => {
    const onTimeout = () => new Error('The host did not answer.');
    await expect(withDeadline({ ms: 60_000, onTimeout }, () => Promise.reject(error))).rejects.toBe(error);
  });

  it('throws the reason of the signal, and starts nothing when that has fired already', async () => {
    const work = vi.fn(never);
    await expect(withDeadline({ ms: 60_000, signal: aborted() }, work)).rejects.toBe(reason);
    expect(work).not.toHaveBeenCalled();
    const controller = new AbortController();
    const onTimeout = () => new Error('The host did not answer.');
    const waiting = withDeadline({ ms: 60_000, signal: controller.signal, onTimeout }, never);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});

describe('with a clock that stands still', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('settleAfterAbort gives work a grace period after the signal, and no limit before', async () => {
    const controller = new AbortController();
    const late = expect(
      settleAfterAbort(never(), controller.signal, { graceMs: 100, timers: systemTimers }),
    ).rejects.toBe(reason);
    const inTime = settleAfterAbort(sleep(10_050), controller.signal, { graceMs: 100, timers: systemTimers });
    await vi.advanceTimersByTimeAsync(10_000);
    controller.abort(reason);
    await vi.advanceTimersByTimeAsync(100);
    await late;
    await inTime;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sleep ends at once when its signal fires, and leaves no timer behind', async () => {
    const controller = new AbortController();
    const sleeping = expect(sleep(60_000, controller.signal)).rejects.toBe(reason);
    controller.abort(reason);
    await sleeping;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sleep does not return at once when asked for more than a timer can hold', async () => {
    const woken = vi.fn();
    void sleep(MAX_TIMER_MS * 2).then(woken);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(woken).not.toHaveBeenCalled();
  });

  it('timers made of `now` and `after` tick, end a wait and fire a signal when their time has come', async () => {
    const timers = timersOver({ now: systemTimers.now, after: systemTimers.after });
    const ticked: number[] = [];
    const began = timers.now();
    const stop = timers.every(100, () => ticked.push(timers.now() - began));
    const timeout = timers.timeout(250);
    const slept = timers.sleep(300);
    await vi.advanceTimersByTimeAsync(249);
    expect(timeout.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(51);
    expect(timeout.reason).toMatchObject({ name: 'TimeoutError' });
    await slept;
    stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ticked).toEqual([100, 200, 300]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('retry waits twice as long each time, up to the longest wait', async () => {
    const times: number[] = [];
    const started = Date.now();
    const failing = retry({ backoff: { firstMs: 10, longestMs: 30 }, attempts: 5, isRetryable: () => true }, () => {
      times.push(Date.now() - started);
      return Promise.reject(reason);
    });
    const failed = expect(failing).rejects.toBe(reason);
    await vi.runAllTimersAsync();
    await failed;
    expect(times).toEqual([0, 10, 30, 60, 90]);
  });

  it('retry gives up at an error that is not retryable, and while it waits at its signal', async () => {
    const once = vi.fn(() => Promise.reject(reason));
    await expect(retry({ backoff: { firstMs: 10 }, isRetryable: () => false }, once)).rejects.toBe(reason);
    expect(once).toHaveBeenCalledTimes(1);
    const controller = new AbortController();
    const options = { backoff: { firstMs: 10 }, isRetryable: () => true, signal: controller.signal };
    const waiting = expect(retry(options, () => Promise.reject(new Error('away')))).rejects.toBe(reason);
    await vi.advanceTimersByTimeAsync(5);
    controller.abort(reason);
    await waiting;
  });
});

it('backoffMs with jitter stays between half and one and a half times the wait', () => {
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    const ms = backoffMs(attempt, { firstMs: 100, longestMs: 800, jitter: true });
    const plain = Math.min(100 * 2 ** (attempt - 1), 800);
    expect(ms).toBeGreaterThanOrEqual(plain * 0.5);
    expect(ms).toBeLessThan(plain * 1.5);
  }
});

/** Work that logs its start and waits for `end`. */
function task(log: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async () => {
    log.push(name);
    await promise;
  };
  return { work, end: resolve };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a keyed mutex', () => {
  it('runs work of one key in order and work of different keys at the same time', async () => {
    const mutex = createKeyedMutex();
    const log: string[] = [];
    const [a, b, other] = [task(log, 'a'), task(log, 'b'), task(log, 'other')];
    const all = [mutex.run('x', a.work), mutex.run('x', b.work), mutex.run('y', other.work)];
    await settled();
    expect(log).toEqual(['a', 'other']);
    for (const { end } of [a, b, other]) end();
    await Promise.all(all);
    expect(log).toEqual(['a', 'other', 'b']);
  });

  it('keeps the order when a caller leaves the line', async () => {
    const mutex = createKeyedMutex();
    const log: string[] = [];
    const [a, left, c] = [task(log, 'a'), task(log, 'left'), task(log, 'c')];
    const first = mutex.run('x', a.work);
    const controller = new AbortController();
    const leaving = mutex.run('x', left.work, controller.signal);
    const third = mutex.run('x', c.work);
    controller.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    await settled();
    expect(log).toEqual(['a']);
    a.end();
    c.end();
    await Promise.all([first, third]);
    expect(log).toEqual(['a', 'c']);
  });
});

describe('a semaphore', () => {
  it('runs as many as it has permits, and the others in order', async () => {
    const semaphore = createSemaphore(2);
    const log: string[] = [];
    const tasks = ['a', 'b', 'c', 'd'].map((name) => task(log, name));
    const all = tasks.map(({ work }) => semaphore.run(work));
    await settled();
    expect(log).toEqual(['a', 'b']);
    tasks[1]?.end();
    await settled();
    expect(log).toEqual(['a', 'b', 'c']);
    for (const { end } of tasks) end();
    await Promise.all(all);
    expect(log).toEqual(['a', 'b', 'c', 'd']);
  });

  it('loses no permit to work that fails, or to callers that leave the line', async () => {
    const semaphore = createSemaphore(1);
    await expect(semaphore.run(() => Promise.reject(reason))).rejects.toBe(reason);
    const log: string[] = [];
    const a = task(log, 'a');
    const first = semaphore.run(a.work);
    const controller = new AbortController();
    const leaving = semaphore.run(() => Promise.resolve(), controller.signal);
    // Its turn comes and its signal fires in the same moment.
    a.end();
    controller.abort(reason);
    await expect(leaving).rejects.toBe(reason);
    await first;
    expect(await semaphore.run(() => Promise.resolve('free'))).toBe('free');
  });
});

describe('a single flight', () => {
  it('shares one run between callers of a key, and starts again once that has ended', async () => {
    const flight = createSingleFlight<string, number>();
    const work = vi.fn(() => Promise.resolve(1));
    expect(await Promise.all([flight.run('x', work), flight.run('x', work), flight.run('y', work)])).toEqual([1, 1, 1]);
    expect(work).toHaveBeenCalledTimes(2);
    await flight.run('x', work);
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('fails every caller with the same error, and lets the next one try again', async () => {
    const flight = createSingleFlight<string, number>();
    const failing = [1, 2].map(() => flight.run('x', () => Promise.reject(reason)));
    for (const one of failing) await expect(one).rejects.toBe(reason);
    expect(await flight.run('x', () => Promise.resolve(2))).toBe(2);
  });
});
