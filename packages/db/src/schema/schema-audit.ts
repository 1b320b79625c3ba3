import type { Session, User } from '@sluice/core/account';
import type { ApiToken } from '@sluice/core/api-token';
import type { AuditAct, AuditActor, AuditedAction, InstallationAct } from '@sluice/core/audit';
import type { RepoId } from '@sluice/core/id';
import { sql } from 'drizzle-orm';
import type { Kit } from './kit.ts';

/**
 * The audit log. Rows are only ever added. Users, subjects, sessions and tokens are named, not referenced, because a row
 * outlives them. The seals cover every column that has a value: a column that is added later must be null in earlier rows.
 */
export function makeAuditTables(kit: Kit) {
  const auditEntries = kit.table(
    'audit_entries',
    {
      ordinal: kit.identity('ordinal'),
      /** Null: of no account, but of the installation. */
      userId: kit.text('user_id').$type<User['id']>(),
      actor: kit.text('actor').$type<AuditActor['kind']>().notNull(),
      sessionId: kit.text('session_id').$type<Session['id']>(),
      tokenId: kit.text('token_id').$type<ApiToken['id']>(),
      action: kit.text('action').$type<AuditedAction>().notNull(),
      subjectId: kit.text('subject_id'),
      /** The repository that it is about. Null also in rows of an older release. */
      repoId: kit.text('repo_id').$type<RepoId>(),
      detail: kit.json<AuditAct['detail'] | InstallationAct['detail']>('detail').notNull(),
      at: kit.instant('at').notNull(),
    },
    (t) => [
      kit.index('audit_entries_by_user').on(t.userId, t.ordinal),
      kit.index('audit_entries_by_repo').on(t.repoId, t.ordinal).where(sql.raw('repo_id is not null')),
    ],
  );

  /** See `AuditSeal`. */
  const auditSeals = kit.table(
    'audit_seals',
    {
      number: kit.big('number').primaryKey(),
      previousNumber: kit.big('previous_number').notNull(),
      previous: kit.text('previous'),
      fromOrdinal: kit.big('from_ordinal').notNull(),
      toOrdinal: kit.big('to_ordinal').notNull(),
      entries: kit.int('entries').notNull(),
      total: kit.big('total').notNull(),
      digest: kit.text('digest').notNull(),
      keyId: kit.text('key_id').notNull(),
      sealedAt: kit.instant('sealed_at').notNull(),
      mac: kit.text('mac').notNull(),
    },
    // One of two processes that go on from the same seal is refused.
    (t) => [kit.uniqueIndex('audit_seals_previous').on(t.previousNumber)],
  );
  return { auditEntries, auditSeals };
}
