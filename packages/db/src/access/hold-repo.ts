import { AppError } from '@sluice/core/error';
import type { RepoId, UserId } from '@sluice/core/id';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

const hold = prepared(({ context, db }, given: Given<{ id: RepoId }>) => {
  const { repos } = context.database.tables;
  return db
    .update(repos)
    .set({ createdAt: sql`${repos.createdAt}` })
    .where(and(eq(repos.id, given('id', repos.id)), isNull(repos.removedAt)))
    .returning({ userId: repos.userId });
});

/**
 * Locks the row of a registered repository to the end of the transaction, so that its removal and the changes of its issues
 * and members come one after the other.
 *
 * @returns the user who registered it
 * @throws AppError `repo_not_found`, also when it was removed meanwhile
 */
export async function holdRepo(write: Write, id: RepoId): Promise<UserId> {
  const registrant = await holdRepoIfThere(write, id);
  if (registrant === null) throw new AppError('repo_not_found');
  return registrant;
}

/** The same, with null for a repository that is not there. */
export async function holdRepoIfThere(write: Write, id: RepoId): Promise<UserId | null> {
  const [held] = await hold(write, { id });
  return held?.userId ?? null;
}
