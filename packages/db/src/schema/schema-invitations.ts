import type { Role } from '@sluice/core/access';
import type { UserId } from '@sluice/core/id';
import type { Invitation } from '@sluice/core/invitation';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { userIdColumn } from './schema-accounts.ts';

/** Invitations to make an account. */
export function makeInvitationTables(kit: Kit, { users, repos }: { users: { id: PgColumn }; repos: { id: PgColumn } }) {
  const invitations = kit.table(
    'invitations',
    {
      id: kit.text('id').$type<Invitation['id']>().primaryKey(),
      /** The base64url of the SHA-256 of its token, which is stored nowhere. */
      tokenHash: kit.text('token_hash').notNull(),
      email: kit.text('email').notNull(),
      /** The same as in `users`. */
      emailKey: kit.text('email_key').notNull(),
      /** Who invited. */
      userId: userIdColumn(kit, users).notNull(),
      repoId: kit
        .text('repo_id')
        .$type<NonNullable<Invitation['repo']>['id']>()
        .references(() => repos.id, { onDelete: 'cascade' }),
      role: kit.text('role').$type<Role>(),
      createdAt: kit.instant('created_at').notNull(),
      expiresAt: kit.instant('expires_at').notNull(),
      usedAt: kit.instant('used_at'),
      /** The account that was made with it, named and not referenced. */
      usedBy: kit.text('used_by').$type<UserId>(),
    },
    (t) => [
      kit.uniqueIndex('invitations_token').on(t.tokenHash),
      kit.index('invitations_user').on(t.userId, t.id),
      kit.index('invitations_email').on(t.emailKey),
      kit.index('invitations_repo').on(t.repoId, t.id).where(sql.raw('repo_id is not null')),
      kit.index('invitations_expired').on(t.expiresAt),
      kit.check('invitations_role', sql.raw('(repo_id is null) = (role is null)')),
      kit.check('invitations_used', sql.raw('(used_at is null) = (used_by is null)')),
    ],
  );
  return { invitations };
}
