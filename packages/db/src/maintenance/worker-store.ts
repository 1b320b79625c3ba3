import { type SeenWorker, WORKER_GONE_MS, type WorkerProcess, type WorkerStore } from '@sluice/core/operation';
import { desc, eq } from 'drizzle-orm';
import { excluded } from '../store/excluded.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, write } from '../store/store-context.ts';

/** More than run at the same time, even when many have died since the last sweep. */
const MAX_LISTED_WORKERS = 500;

const putWorker = prepared(({ context, db }, given: Given<WorkerProcess>) => {
  const { at, tables } = context.database;
  const { workers } = tables;
  const { id, hostName, pid, role, version, concurrency, sandbox, seenAt } = workers;
  return db
    .insert(workers)
    .values({
      id: given('id', id),
      hostName: given('hostName', hostName),
      pid: given('pid', pid),
      role: given('role', role),
      version: given('version', version),
      concurrency: given('concurrency', concurrency),
      sandbox: given('sandbox', sandbox),
      startedAt: at(0),
      seenAt: at(0),
    })
    .onConflictDoUpdate({ target: id, set: excluded({ sandbox, seenAt }) })
    .returning({ id });
});

const deleteWorker = prepared(({ context, db }, given: Given<{ id: string }>) => {
  const { workers } = context.database.tables;
  return db
    .delete(workers)
    .where(eq(workers.id, given('id', workers.id)))
    .returning({ id: workers.id });
});

const selectWorkers = prepared(({ context, db }, given: Given<{ limit: number }>) => {
  const { at, tables } = context.database;
  const { workers } = tables;
  return db
    .select({ worker: workers, now: at(0).mapWith(workers.seenAt) })
    .from(workers)
    .orderBy(desc(workers.seenAt))
    .limit(given('limit'));
});

/** The workers that share the database. */
export function createWorkerStore(context: StoreContext): WorkerStore {
  const reading = { context, db: context.database.read };
  return {
    put: (worker) => write(context, async (write) => void (await putWorker(write, worker))),
    remove: (id) => write(context, async (write) => void (await deleteWorker(write, { id }))),

    // Once, at the start of an embedded process: not built ahead.
    clear: () =>
      write(context, async ({ db }) => {
        const { workers } = context.database.tables;
        await db.delete(workers).returning({ id: workers.id });
      }),

    list: async () => {
      const found = await selectWorkers(reading, { limit: MAX_LISTED_WORKERS });
      return found
        .map(({ worker, now }): SeenWorker => {
          const isGone = now.getTime() - worker.seenAt.getTime() > WORKER_GONE_MS;
          return { ...worker, isGone };
        })
        .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
    },
  };
}
