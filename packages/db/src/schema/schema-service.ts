import type { WorkerProcess } from '@sluice/core/operation';
import type { StoredResponse } from '@sluice/core/request';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { userIdColumn } from './schema-accounts.ts';

/** One row for the installation as a whole, or none. */
export function makeInstallationTables(kit: Kit) {
  const installation = kit.table(
    'installation',
    {
      id: kit.int('id').primaryKey(),
      /** See `EventLog.epoch`. */
      epoch: kit.text('epoch').notNull(),
    },
    () => [kit.check('installation_once', sql.raw('id = 1'))],
  );
  return { installation };
}

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

/** Requests with an idempotency key and their responses, kept for a day. */
export function makeRequestTables(kit: Kit, users: { id: PgColumn }) {
  const requestAnswers = kit.table(
    'request_answers',
    {
      userId: userIdColumn(kit, users).notNull(),
      route: kit.text('route').notNull(),
      key: kit.text('key').notNull(),
      hash: kit.text('hash').notNull(),
      /** Null while it is carried out. */
      answer: kit.json<StoredResponse>('answer'),
      owner: kit.text('owner'),
      /** By the database's clock. */
      heldUntil: kit.instant('held_until'),
      createdAt: kit.instant('created_at').notNull(),
    },
    (t) => [
      kit.primaryKey({ name: 'request_answers_pk', columns: [t.userId, t.route, t.key] }),
      kit.index('request_answers_at').on(t.createdAt),
      kit.check('request_answers_held_or_answered', sql.raw('(owner is null) = (answer is not null)')),
      kit.check('request_answers_hold_whole', sql.raw('(owner is null) = (held_until is null)')),
    ],
  );
  return { requestAnswers };
}
