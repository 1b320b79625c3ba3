import type { WorkerProcess } from '@sluice/core/operation';
import type { Kit } from './kit.ts';

/** The running workers: volatile, and written by each of them again and again. All times are the database's. */
export function makeWorkerTables(kit: Kit) {
  const workers = kit.table(
    'workers',
    {
      id: kit.text('id').primaryKey(),
      hostName: kit.text('host_name').notNull(),
      pid: kit.int('pid').notNull(),
      role: kit.text('role').$type<WorkerProcess['role']>().notNull(),
      version: kit.text('version').notNull(),
      concurrency: kit.int('concurrency').notNull(),
      sandbox: kit.json<WorkerProcess['sandbox']>('sandbox'),
      startedAt: kit.instant('started_at').notNull(),
      seenAt: kit.instant('seen_at').notNull(),
    },
    (t) => [kit.index('workers_seen').on(t.seenAt)],
  );
  return { workers };
}
