import { AppError } from '@sluice/core/error';
import type { RepoId } from '@sluice/core/id';
import type { ActiveHolder } from '@sluice/core/repo';
import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { Tables } from '../schema/schema.ts';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

const remoteOf = prepared(({ context, db }, given: Given<{ id: RepoId }>) => {
  const { repos } = context.database.tables;
  return db
    .select({ remote: repos.canonicalRemote })
    .from(repos)
    .where(and(eq(repos.id, given('id', repos.id)), isNull(repos.removedAt)));
});

const holdersOf = prepared(({ context, db }, given: Given<{ remote: string }>) => {
  const { issues } = context.database.tables;
  return db
    .select({ issueId: issues.id, repoId: issues.repoId })
    .from(issues)
    .where(eq(issues.activeRemote, given('remote', issues.activeRemote)));
});

/** The issue of a registration that holds its remote, by the index of all that hold one: they are few, its issues are not. */
export function isHolderOf({ issues }: Tables, repoId: RepoId): SQL | undefined {
  return and(gt(issues.activeRemote, ''), sql`coalesce(${issues.repoId}, '') = ${repoId}`);
}

/** The canonical remote of a repository. @throws AppError `repo_not_found` when it was removed meanwhile */
export async function canonicalRemote(write: Write, repoId: RepoId): Promise<string> {
  const [repo] = await remoteOf(write, { id: repoId });
  if (repo === undefined) throw new AppError('repo_not_found');
  return repo.remote;
}

/**
 * The holder of the remote, or null. The caller holds the dispatch lock, so that the result is still true when it
 * writes. The unique index enforces the rule in any case.
 */
export async function holderOf(write: Write, remote: string): Promise<ActiveHolder | null> {
  const [holder] = await holdersOf(write, { remote });
  return holder ?? null;
}

/** The other holder of that remote, if the registration has an active issue to move there. See `holderOf`. */
export async function otherHolder(write: Write, repoId: RepoId, remote: string): Promise<ActiveHolder | null> {
  const { issues } = write.context.database.tables;
  const [active] = await write.db
    .select({ id: issues.id })
    .from(issues)
    .where(isHolderOf(write.context.database.tables, repoId));
  if (active === undefined) return null;
  const holder = await holderOf(write, remote);
  return holder?.issueId === active.id ? null : holder;
}
