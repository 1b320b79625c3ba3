import type { IssueId } from '@sluice/core/id';
import type { DeliveryQueue } from '@sluice/core/notification';
import type { MaintenanceStore } from '@sluice/core/operation';
import { newId, settableClock } from '@sluice/testing';
import { expect, it } from 'vitest';
import { createDatabaseRetention } from './database-retention.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Issues with that many rows to delete each, in pages of two. */
function aStore(rows: Map<IssueId, number>) {
  const asked: string[] = [];
  let expired = 2;
  const maintenance: MaintenanceStore = {
    clearExpired: async ({ before }) => {
      asked.push(`expired ${before.toISOString()}`);
      expired -= 1;
      return expired > 0;
    },
    withOldHistory: async ({ after, endedBefore }) => {
      asked.push(`page ${after} ${endedBefore.toISOString()}`);
      const from = after ?? 0;
      const ids = [...rows.keys()].slice(from, from + 2);
      return { issueIds: ids, next: from + 2 < rows.size ? from + 2 : null };
    },
    deleteRemoved: async () => false,
    optimize: async () => void asked.push('optimize'),
    releaseSpace: async () => false,
    forgetHistory: async (id, { limit }) => {
      const left = rows.get(id) ?? 0;
      rows.set(id, Math.max(0, left - limit));
      return Math.min(left, limit);
    },
  };
  return { maintenance, asked };
}

const forgotten: Date[] = [];
const ended: Date[] = [];
const deliveries = {
  forget: async ({ before }: { before: Date }) => ended.push(before) < 2,
} as unknown as DeliveryQueue;
const codehostInbox = { forgetDeliveries: async (before: Date) => void forgotten.push(before) } as Parameters<
  typeof createDatabaseRetention
>[0]['codehostInbox'];

it('goes through everything a little at each sweep, once an hour', async () => {
  const clock = settableClock();
  const start = clock.now().getTime();
  const rows = new Map(Array.from({ length: 5 }, () => [newId<IssueId>(), 6_000] as const));
  const { maintenance, asked } = aStore(rows);
  const house = createDatabaseRetention(
    { maintenance, codehostInbox, deliveries, clock },
    { eventRetentionMs: 30 * DAY_MS },
  );
  await house.run();
  const left = () => [...rows.values()].reduce((sum, count) => sum + count, 0);
  expect(left()).toBeGreaterThan(0);
  expect(left()).toBeLessThan(5 * 6_000);
  expect(asked).toContain(`page null ${new Date(start - 30 * DAY_MS).toISOString()}`);
  expect(asked).toContain(`expired ${new Date(start - DAY_MS).toISOString()}`);
  expect(forgotten).toEqual([new Date(start - 7 * DAY_MS)]);
  expect(ended).toEqual([new Date(start - 30 * DAY_MS)]);
  for (let sweeps = 0; sweeps < 10; sweeps += 1) await house.run();
  expect(left()).toBe(0);
  expect(ended).toHaveLength(2); // the first call left some
  expect(asked.filter((line) => line.startsWith('expired'))).toHaveLength(2);
  expect(asked.filter((line) => line.startsWith('page')).map((line) => line.split(' ')[1])).toEqual(['null', '2', '4']);
  clock.advance(HOUR_MS);
  await house.run();
  expect(asked.at(-3)).toBe(`page null ${new Date(start + HOUR_MS - 30 * DAY_MS).toISOString()}`);
  expect(forgotten).toHaveLength(2);
});

it('forgets no history where none is to be forgotten', async () => {
  const { maintenance, asked } = aStore(new Map([[newId<IssueId>(), 10]]));
  const house = createDatabaseRetention(
    { maintenance, codehostInbox, deliveries, clock: settableClock() },
    { eventRetentionMs: null },
  );
  await house.run();
  expect(asked.filter((line) => line.startsWith('page'))).toEqual([]);
});

it('lets other work go on between two of its calls', async () => {
  const rows = new Map([[newId<IssueId>(), 6_000]]);
  const { maintenance } = aStore(rows);
  let isSince = true;
  let calls = 0;
  /** SQLite does the work without a turn of the event loop. */
  const counted = <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) => {
    return (...args: Args) => {
      expect(isSince).toBe(true);
      isSince = false;
      calls += 1;
      setImmediate(() => {
        isSince = true;
      });
      return call(...args);
    };
  };
  const house = createDatabaseRetention(
    {
      maintenance: {
        ...maintenance,
        deleteRemoved: counted(async () => calls < 5),
        forgetHistory: counted(maintenance.forgetHistory),
        releaseSpace: counted(async () => true),
      },
      codehostInbox,
      deliveries,
      clock: settableClock(),
    },
    { eventRetentionMs: DAY_MS },
  );
  await house.run();
  expect(calls).toBeGreaterThan(40);
});
