import type { Repo } from '@sluice/core';
import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../schema/kit.ts';
import type { Tables } from '../schema/schema.ts';

/** Rows of repositories, each with the active issue of this registration, but not of another user's. */
export function selectRepos(db: Db, { repos, issues }: Tables) {
  return db
    .select({ row: repos, activeIssueId: issues.id })
    .from(repos)
    .leftJoin(issues, and(eq(issues.activeRemote, repos.canonicalRemote), eq(issues.repoId, repos.id)));
}

export function toRepo({ row, activeIssueId }: Awaited<ReturnType<typeof selectRepos>>[number]): Repo {
  const { ordinal: _, removedAt: __, codeIndex, ...repo } = row;
  return { ...repo, activeIssueId, index: codeIndex };
}

export async function readRepo(db: Db, tables: Tables, id: Repo['id']): Promise<Repo | null> {
  const [row] = await selectRepos(db, tables).where(and(eq(tables.repos.id, id), isNull(tables.repos.removedAt)));
  return row === undefined ? null : toRepo(row);
}
