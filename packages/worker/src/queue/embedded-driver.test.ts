import type { RunStore } from '@sluice/core/agent';
import { systemTimers } from '@sluice/core/async';
import type { IssueId } from '@sluice/core/id';
import { until } from '@sluice/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createEmbeddedDriver } from './embedded-driver.ts';

const ids = (...names: string[]) => names as IssueId[];
const never: Pick<RunStore, 'nextDueInMs' | 'claimable'> = {
  nextDueInMs: async () => null,
  claimable: async () => {
    throw new Error('the driver polled');
  },
};

/** A handler whose calls the test ends. */
function heldHandler() {
  const started: string[] = [];
  const held = new Map<string, () => void>();
  let most = 0;
  return {
    started,
    most: () => most,
    handle: (id: IssueId) =>
      new Promise<void>((resolve) => {
        started.push(id);
        held.set(id, resolve);
        most = Math.max(most, held.size);
      }),
    end(id: string): void {
      held.get(id)?.();
      held.delete(id);
    },
    endAll(): void {
      for (const id of [...held.keys()]) this.end(id);
    },
  };
}

describe('the embedded driver', () => {
  const open: { stop(): Promise<void> }[] = [];
  const work = heldHandler();
  function driverOver(runs = never) {
    const driver = createEmbeddedDriver(() => runs, systemTimers);
    open.push(driver);
    return driver;
  }
  afterEach(async () => {
    const stopping = open.splice(0).map((driver) => driver.stop());
    work.endAll();
    await Promise.all(stopping);
    work.started.length = 0;
  });

  it('hands issues over in the order in which they became runnable, never more than allowed at a time', async () => {
    const driver = driverOver();
    const held = heldHandler();
    await driver.start({ concurrency: 2, handle: held.handle });
    driver.runnable(ids('a', 'b', 'c'));
    driver.runnable(ids('d'));
    await until('two run', () => held.started.length === 2);
    for (const id of ['b', 'a', 'd', 'c']) {
      const before = held.started.length;
      held.end(id);
      await until('the next one runs', () => held.started.length > before || held.started.length === 4);
    }
    expect(held.started).toEqual(['a', 'b', 'c', 'd']);
    expect(held.most()).toBe(2);
    held.endAll();
  });

  it('hands an issue over once, however many signals arrive while it waits', async () => {
    const driver = driverOver();
    driver.runnable(ids('a', 'a'));
    driver.runnable(ids('a', 'b'));
    await driver.start({ concurrency: 5, handle: work.handle });
    await until('both run', () => work.started.length === 2);
    expect(work.started).toEqual(['a', 'b']);
  });

  it('drives an issue again when it became runnable while it was being driven, and not both at a time', async () => {
    const driver = driverOver();
    const held = heldHandler();
    await driver.start({ concurrency: 5, handle: held.handle });
    driver.runnable(ids('a'));
    await until('it runs', () => held.started.length === 1);
    driver.runnable(ids('a'));
    driver.runnable(ids('b'));
    await until('the other one runs', () => held.started.length === 2);
    expect(held.started).toEqual(['a', 'b']);
    held.end('a');
    await until('it runs again', () => held.started.length === 3);
    expect(held.started).toEqual(['a', 'b', 'a']);
    held.endAll();
  });

  it('continues after a handler that throws', async () => {
    const driver = driverOver();
    const seen: string[] = [];
    await driver.start({
      concurrency: 1,
      handle: async (id) => {
        seen.push(id);
        throw new Error('broken');
      },
    });
    driver.runnable(ids('a', 'b'));
    await until('both were handled', () => seen.length === 2);
  });

  it('hands over what was released for later when it is due, and asks no store before', async () => {
    const dueAt = performance.now() + 80;
    let asked = 0;
    let handedAt = 0;
    const driver = driverOver({
      nextDueInMs: async () => (handedAt === 0 ? Math.max(dueAt - performance.now(), 0) : null),
      claimable: async () => {
        asked += 1;
        return performance.now() >= dueAt ? ids('late') : [];
      },
    });
    await driver.start({
      concurrency: 1,
      handle: async () => {
        handedAt = performance.now();
      },
    });
    await until('it was handed over', () => handedAt > 0);
    expect(handedAt).toBeGreaterThanOrEqual(dueAt);
    expect(asked).toBeLessThanOrEqual(2); // two when the timer was slightly early
  });

  it('takes nothing more once it is stopped, and waits for what runs', async () => {
    const driver = driverOver();
    const held = heldHandler();
    await driver.start({ concurrency: 1, handle: held.handle });
    driver.runnable(ids('a', 'b'));
    await until('one runs', () => held.started.length === 1);
    let stopped = false;
    const stopping = driver.stop().then(() => {
      stopped = true;
    });
    driver.runnable(ids('c'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    held.end('a');
    await stopping;
    expect(held.started).toEqual(['a']);
  });
});
