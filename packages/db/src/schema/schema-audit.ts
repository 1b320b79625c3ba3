import type { AuditAct, AuditActor, AuditedAction, InstallationAct, Session, User } from '@sluice/core';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';

/**
 * The table of who did what. Rows are added alone. What they tell of is named and not referred to: it may be gone for
 * good, and the row stays. So is a session, which is forgotten some day.
 */
export function makeAuditTables(kit: Kit, users: { id: PgColumn }) {
  const auditEntries = kit.table(
    'audit_entries',
    {
      ordinal: kit.identity('ordinal'),
      /** Null: of no account, but of the installation. */
      userId: kit
        .text('user_id')
        .$type<User['id']>()
        .references(() => users.id, { onDelete: 'cascade' }),
      actor: kit.text('actor').$type<AuditActor['kind']>().notNull(),
      sessionId: kit.text('session_id').$type<Session['id']>(),
      action: kit.text('action').$type<AuditedAction>().notNull(),
      subjectId: kit.text('subject_id'),
      detail: kit.json<AuditAct['detail'] | InstallationAct['detail']>('detail').notNull(),
      at: kit.instant('at').notNull(),
    },
    (t) => [kit.index('audit_entries_by_user').on(t.userId, t.ordinal)],
  );
  return { auditEntries };
}
