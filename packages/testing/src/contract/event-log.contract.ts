import { callerOf } from '@sluice/core/access';
import type { IssueId, UserId } from '@sluice/core/id';
import { describe, expect, it } from 'vitest';
import { applied } from './pipeline-moves.ts';
import { newIssueOn, type OpenStores, registeredRepo, registeredUser, type StoreHarness } from './store-harness.ts';

/** The behaviour of `EventLog` on any database. */
export function eventLogContract(name: string, open: OpenStores): void {
  describe(`the event log of a user on ${name}`, () => {
    const everything = { after: 0, upTo: null, limit: null };

    async function pendingIssue(stores: StoreHarness, userId: UserId): Promise<IssueId> {
      const repo = await registeredRepo(stores, { userId });
      return applied(await stores.issues.create(newIssueOn(repo), { queue: false })).id;
    }

    const write = (stores: StoreHarness, id: IssueId) =>
      stores.issues.edit(id, { title: 'Another', body: '', warnings: [] });

    it('names the issues of one user with events after an ordinal, in pages or all at once', async () => {
      await using stores = await open();
      const { id: ada } = await registeredUser(stores);
      const one = await pendingIssue(stores, ada);
      await pendingIssue(stores, (await registeredUser(stores)).id);
      const two = await pendingIssue(stores, ada);
      await write(stores, one);
      const all = await stores.eventLog.changed(callerOf(ada), everything);
      expect(all).toEqual({
        issues: [
          { issueId: one, repoId: expect.any(String), firstSeq: 1, lastSeq: 2, lastOrdinal: expect.any(Number) },
          { issueId: two, repoId: expect.any(String), firstSeq: 1, lastSeq: 1, lastOrdinal: expect.any(Number) },
        ],
        upTo: null,
      });
      const last = Math.max(...all.issues.map(({ lastOrdinal }) => lastOrdinal));
      expect(await stores.eventLog.changed(callerOf(ada), { ...everything, after: last })).toEqual({
        issues: [],
        upTo: null,
      });
      const piece = await stores.eventLog.changed(callerOf(ada), { after: 0, upTo: last, limit: 2 });
      expect(piece.issues.map(({ issueId, lastSeq }) => [issueId, lastSeq])).toEqual([
        [one, 1],
        [two, 1],
      ]);
      expect(piece.upTo).toBeLessThan(last);
      expect(await stores.eventLog.changed(callerOf(ada), { after: piece.upTo ?? 0, upTo: last, limit: 2 })).toEqual({
        issues: [{ issueId: one, repoId: expect.any(String), firstSeq: 2, lastSeq: 2, lastOrdinal: last }],
        upTo: last,
      });
    });

    it('adds no event below the settled ordinal under concurrent writes', async () => {
      await using stores = await open();
      const { id: ada } = await registeredUser(stores);
      const ids: IssueId[] = [];
      for (let count = 0; count < 6; count += 1) ids.push(await pendingIssue(stores, ada));
      const seen: { settled: number; events: number }[] = [];
      const eventsUpTo = async (upTo: number) => {
        const { issues } = await stores.eventLog.changed(callerOf(ada), { after: 0, upTo, limit: null });
        return issues.reduce((sum, { firstSeq, lastSeq }) => sum + lastSeq - firstSeq + 1, 0);
      };
      let writing = true;
      const watch = async () => {
        while (writing) {
          const settled = await stores.eventLog.settledUpTo();
          if (settled !== seen.at(-1)?.settled) seen.push({ settled, events: await eventsUpTo(settled) });
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const writers = ids.map(async (id) => {
        for (let count = 0; count < 60; count += 1) await write(stores, id);
      });
      await Promise.all([watch(), Promise.all(writers).finally(() => (writing = false))]);
      for (const { settled, events } of seen) expect(await eventsUpTo(settled)).toBe(events);
      // It reaches the end once writing stops.
      const { issues } = await stores.eventLog.changed(callerOf(ada), everything);
      const last = Math.max(...issues.map(({ lastOrdinal }) => lastOrdinal));
      while ((await stores.eventLog.settledUpTo()) < last) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(seen.length).toBeGreaterThan(0);
    });
  });
}
