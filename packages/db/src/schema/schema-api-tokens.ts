import type { ApiToken } from '@sluice/core/api-token';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { userIdColumn } from './schema-accounts.ts';

/** The permissions of programs. */
export function makeApiTokenTables(kit: Kit, { users, repos }: { users: { id: PgColumn }; repos: { id: PgColumn } }) {
  const apiTokens = kit.table(
    'api_tokens',
    {
      id: kit.text('id').$type<ApiToken['id']>().primaryKey(),
      userId: userIdColumn(kit, users).notNull(),
      /** Null: of all repositories of its owner. */
      repoId: kit
        .text('repo_id')
        .$type<NonNullable<ApiToken['repoId']>>()
        .references(() => repos.id, { onDelete: 'cascade' }),
      name: kit.text('name').notNull(),
      scope: kit.text('scope').$type<ApiToken['scope']>().notNull(),
      /** The base64url of the SHA-256 of its text, which is stored nowhere. */
      hash: kit.text('hash').notNull(),
      hint: kit.text('hint').notNull(),
      createdAt: kit.instant('created_at').notNull(),
      expiresAt: kit.instant('expires_at').notNull(),
      lastUsedAt: kit.instant('last_used_at'),
      lastClient: kit.text('last_client'),
      revokedAt: kit.instant('revoked_at'),
    },
    (t) => [
      kit.uniqueIndex('api_tokens_hash').on(t.hash),
      kit.index('api_tokens_user').on(t.userId, t.id),
      kit.index('api_tokens_repo').on(t.repoId, t.id).where(sql.raw('repo_id is not null')),
      kit.index('api_tokens_expired').on(t.expiresAt),
      kit.index('api_tokens_revoked').on(t.revokedAt).where(sql.raw('revoked_at is not null')),
    ],
  );
  return { apiTokens };
}
