import type { StoredResponse } from '@sluice/core/request';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { userIdColumn } from './schema-accounts.ts';

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
