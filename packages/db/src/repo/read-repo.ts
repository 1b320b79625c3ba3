import type { Repo } from '@sluice/core/repo';
import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../schema/kit.ts';
import type { Tables } from '../schema/schema.ts';
import { type Given, type Handle, prepared } from '../store/prepared.ts';

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

const findRepo = prepared(({ context, db }, given: Given<{ id: Repo['id'] }>) => {
  const { tables } = context.database;
  const { repos } = tables;
  return selectRepos(db, tables).where(and(eq(repos.id, given('id', repos.id)), isNull(repos.removedAt)));
});

export async function readRepo(on: Handle, id: Repo['id']): Promise<Repo | null> {
  const [row] = await findRepo(on, { id });
  return row === undefined ? null : toRepo(row);
}
