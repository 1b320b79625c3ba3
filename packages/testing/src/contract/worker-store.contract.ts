import type { WorkerProcess } from '@sluice/core/operation';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { atOnce, type OpenStores, type StoreHarness } from './store-harness.ts';

/** A worker that has not tried its sandbox. */
function aWorker(overrides: Partial<WorkerProcess> = {}): WorkerProcess {
  return {
    id: newId(),
    hostName: 'host-1',
    pid: 4711,
    role: 'worker',
    version: '1.2.3',
    concurrency: 10,
    sandbox: null,
    ...overrides,
  };
}

/** What a `WorkerStore` promises, on any database. */
export function workerStoreContract(name: string, open: OpenStores): void {
  describe(`workers on ${name}`, () => {
    it('are listed as they described themselves, in the order of their start', async () => {
      await using stores = await open();
      const [first, second] = [aWorker({ role: 'all' }), aWorker({ hostName: 'höst-2' })];
      await stores.workers.put(first);
      await seenLater(stores, first);
      await stores.workers.put(second);
      const listed = await stores.workers.list();
      expect(listed).toMatchObject([
        { ...first, isGone: false },
        { ...second, isGone: false },
      ]);
      expect(listed[1]?.seenAt).toEqual(listed[1]?.startedAt);
    });

    it('keep the time of their start, and are seen again with the state of their sandbox', async () => {
      await using stores = await open();
      const worker = aWorker();
      await stores.workers.put(worker);
      const [before] = await stores.workers.list();
      const sandbox = { kind: 'bwrap', usable: false, problem: 'no user namespaces', gaps: ['no limit on processes'] };
      await seenLater(stores, { ...worker, sandbox });
      const [after] = await stores.workers.list();
      expect(after).toMatchObject({ ...worker, sandbox, startedAt: before?.startedAt });
      expect(after?.seenAt.getTime()).toBeGreaterThan(before?.seenAt.getTime() ?? Number.NaN);
    });

    it('leave with a clean stop, each by itself or all at once', async () => {
      await using stores = await open();
      const workers = Array.from({ length: 4 }, () => aWorker());
      await atOnce(4, (at) => stores.workers.put(workers[at] ?? aWorker()));
      await stores.workers.remove(workers[0]?.id ?? '');
      await stores.workers.remove(newId());
      expect((await stores.workers.list()).map(({ id }) => id).toSorted()).toEqual(
        workers
          .slice(1)
          .map(({ id }) => id)
          .toSorted(),
      );
      await stores.workers.clear();
      expect(await stores.workers.list()).toEqual([]);
    });

    it('are swept when they were last seen before a given time', async () => {
      await using stores = await open();
      await stores.workers.put(aWorker());
      const seenAt = (await stores.workers.list())[0]?.seenAt.getTime() ?? Number.NaN;
      await stores.maintenance.clearExpired({ before: new Date(seenAt), limit: 10 });
      expect(await stores.workers.list()).toHaveLength(1);
      await stores.maintenance.clearExpired({ before: new Date(seenAt + 1), limit: 10 });
      expect(await stores.workers.list()).toEqual([]);
    });
  });
}

/** Writes it again until the clock of the database has moved on: two writes may share a millisecond. */
async function seenLater({ workers }: StoreHarness, worker: WorkerProcess): Promise<void> {
  const seenAt = async () => (await workers.list()).find(({ id }) => id === worker.id)?.seenAt.getTime() ?? Number.NaN;
  const before = await seenAt();
  do {
    await workers.put(worker);
    await new Promise((resolve) => setImmediate(resolve));
  } while ((await seenAt()) <= before);
}
