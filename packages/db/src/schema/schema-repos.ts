import type { Role } from '@sluice/core/access';
import type { MemberOrigin } from '@sluice/core/member';
import type { Repo } from '@sluice/core/repo';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { userIdColumn } from './schema-accounts.ts';
import { settingsForm } from './settings-document.ts';

/** The registered repositories and their members. */
export function makeRepoTables(kit: Kit, users: { id: PgColumn }) {
  const repos = kit.table(
    'repos',
    {
      ordinal: kit.identity('ordinal'),
      id: kit.text('id').$type<Repo['id']>().notNull().unique('repos_id'),
      userId: userIdColumn(kit, users).notNull(),
      name: kit.text('name').notNull(),
      url: kit.text('url').notNull(),
      canonicalRemote: kit.text('canonical_remote').notNull(),
      defaultBranch: kit.text('default_branch').notNull(),
      provider: kit.text('provider').$type<Repo['provider']>().notNull(),
      codehostRepoId: kit.text('codehost_repo_id'),
      setupCommand: kit.text('setup_command'),
      testCommand: kit.text('test_command'),
      instructions: kit.text('instructions'),
      settings: kit.mappedJson('settings', settingsForm).notNull(),
      accessToken: kit.json<NonNullable<Repo['accessToken']>>('access_token'),
      codeIndex: kit.json<NonNullable<Repo['index']>>('code_index'),
      createdAt: kit.instant('created_at').notNull(),
      updatedAt: kit.instant('updated_at').notNull(),
      /** Set once it was removed: nobody sees it or its issues any more, and its rows are deleted in pieces. */
      removedAt: kit.instant('removed_at'),
    },
    (t) => [
      kit.uniqueIndex('repos_remote_once_per_user').on(t.userId, t.canonicalRemote),
      kit.index('repos_by_remote').on(t.canonicalRemote),
      kit.index('repos_by_user').on(t.userId, t.ordinal),
      kit
        .index('repos_of_codehost_repo')
        .on(t.codehostRepoId, t.ordinal)
        .where(sql.raw('codehost_repo_id is not null')),
      kit.index('repos_removed').on(t.removedAt).where(sql.raw('removed_at is not null')),
    ],
  );

  /** Who may do what in a repository, beside the user who registered it. */
  const repoMembers = kit.table(
    'repo_members',
    {
      repoId: repoIdColumn(kit, repos),
      userId: userIdColumn(kit, users).notNull(),
      role: kit.text('role').$type<Role>().notNull(),
      origin: kit.text('origin').$type<MemberOrigin>().notNull(),
      createdAt: kit.instant('created_at').notNull(),
      updatedAt: kit.instant('updated_at').notNull(),
    },
    (t) => [
      kit.primaryKey({ name: 'repo_members_pk', columns: [t.repoId, t.userId] }),
      kit.index('repo_members_user').on(t.userId, t.repoId),
    ],
  );

  return { repos, repoMembers };
}

/** A reference to the repository to which a row belongs; the row is deleted with it. */
export function repoIdColumn(kit: Kit, repos: { id: PgColumn }) {
  return kit
    .text('repo_id')
    .$type<Repo['id']>()
    .notNull()
    .references(() => repos.id, { onDelete: 'cascade' });
}
