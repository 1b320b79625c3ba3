import { systemTimers, timersOver } from '@sluice/core/async';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchQueue } from './queue-watch.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => void vi.useRealTimers());

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

/** A watched queue, and what became of it. The watch looks every 5 s. */
function watched() {
  const queue = { isFull: false, isAway: false, stoodStillMs: 0 };
  const done: string[] = [];
  const { now, after } = systemTimers;
  const watch = watchQueue({
    timers: timersOver({ now: () => now() + queue.stoodStillMs, after }),
    isFull: () => queue.isFull,
    databaseAnswers: async () => !queue.isAway,
    replace: () => void done.push('replaced'),
    giveUp: () => void done.push('given up'),
  });
  return { queue, done, watch };
}

describe('the watch of a queue', () => {
  it('leaves a queue alone that is polled', async () => {
    const { watch, done } = watched();
    for (let polls = 0; polls < 300; polls += 1) {
      await seconds(2);
      watch.polled();
    }
    await seconds(29);
    expect(done).toEqual([]);
    expect(watch.silentMs()).toBe(29_000);
  });

  it('replaces a queue that was silent for 30 s although the database answers, once', async () => {
    const { watch, done } = watched();
    await seconds(7);
    watch.polled();
    await seconds(29);
    expect(done).toEqual([]);
    await seconds(10);
    expect(done).toEqual(['replaced']);
  });

  it('gives a queue up whose replacement is silent for another 30 s, and then stops', async () => {
    const { done } = watched();
    await seconds(55);
    expect(done).toEqual(['replaced']);
    await seconds(15);
    expect(done).toEqual(['replaced', 'given up']);
    await seconds(3_600);
    expect(done).toEqual(['replaced', 'given up']);
  });

  it('replaces a queue again whose replacement was polled before it became silent', async () => {
    const { watch, done } = watched();
    await seconds(40);
    watch.polled();
    await seconds(40);
    expect(done).toEqual(['replaced', 'replaced']);
  });

  it('does nothing while the database is away, and counts from its return', async () => {
    const { queue, done } = watched();
    queue.isAway = true;
    await seconds(3_600);
    expect(done).toEqual([]);
    queue.isAway = false;
    await seconds(29);
    expect(done).toEqual([]);
    await seconds(10);
    expect(done).toEqual(['replaced']);
  });

  it('gives no replacement up for an outage of the database', async () => {
    const { queue, done } = watched();
    await seconds(40);
    queue.isAway = true;
    await seconds(600);
    queue.isAway = false;
    await seconds(29);
    expect(done).toEqual(['replaced']);
  });

  it('expects no poll while as many issues run as may', async () => {
    const { queue, watch, done } = watched();
    queue.isFull = true;
    await seconds(36_000);
    expect(watch.silentMs()).toBe(0);
    queue.isFull = false;
    await seconds(24);
    expect(done).toEqual([]);
    await seconds(15);
    expect(done).toEqual(['replaced']);
  });

  it('does not take a process that stood still for a silent queue', async () => {
    const { queue, watch, done } = watched();
    await seconds(40);
    expect(done).toEqual(['replaced']);
    queue.stoodStillMs = 600_000;
    await seconds(6);
    watch.polled();
    await seconds(24);
    expect(done).toEqual(['replaced']);
  });

  it('does nothing after its end', async () => {
    const { watch, done } = watched();
    watch.stop();
    await seconds(600);
    expect(done).toEqual([]);
  });
});
