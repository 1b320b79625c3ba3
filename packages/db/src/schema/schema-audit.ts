import type { ApiToken, AuditAct, AuditActor, AuditedAction, InstallationAct, RepoId, Session } from '@sluice/core';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { userIdColumn } from './schema-accounts.ts';

/**
 * The audit log. Rows are only ever added. Subjects, sessions and tokens are named, not referenced, because a row outlives
 * them.
 */
export function makeAuditTables(kit: Kit, users: { id: PgColumn }) {
  const auditEntries = kit.table(
    'audit_entries',
    {
      ordinal: kit.identity('ordinal'),
      /** Null: of no account, but of the installation. */
      userId: userIdColumn(kit, users),
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
  return { auditEntries };
}
