import type { BlockedMove } from '@sluice/core/code-host';
import type { NewRepo, Repo } from '@sluice/core/repo';
import { and, asc, eq, ne } from 'drizzle-orm';
import { isHolderOf, otherHolder } from '../issue/active-remote.ts';
import { selectRepos, toRepo } from '../repo/read-repo.ts';
import type { Write } from '../store/store-context.ts';

const HOSTED = 'codehost' satisfies NewRepo['provider'];

/**
 * Moves every registration of the code host to `origin`, or none. Looking up repositories by id is not enough, because
 * the new address still contains the old name. The caller holds the dispatch lock.
 */
export async function moveSite(
  write: Write,
  origin: string,
): Promise<{ readonly repos: number; readonly blocked: readonly BlockedMove[] }> {
  const { repos } = write.context.database.tables;
  const rows = await selectRepos(write.db, write.context.database.tables)
    .where(eq(repos.provider, HOSTED))
    .orderBy(asc(repos.ordinal));
  const moving = rows.map(toRepo).filter((repo) => below(origin, repo.url) !== repo.url);
  const blocked: BlockedMove[] = [];
  for (const repo of moving) {
    const by = await blockerOf(write, repo, below(origin, repo.canonicalRemote));
    if (by !== null) blocked.push({ repoId: repo.id, userId: repo.userId, by });
  }
  if (blocked.length === 0) for (const repo of moving) await move(write, repo, origin);
  return { repos: moving.length, blocked };
}

async function move({ context, db, now }: Write, { id, url, canonicalRemote }: Repo, origin: string): Promise<void> {
  const { repos, issues } = context.database.tables;
  const remote = below(origin, canonicalRemote);
  await db
    .update(repos)
    .set({ url: below(origin, url), canonicalRemote: remote, updatedAt: now })
    .where(eq(repos.id, id));
  await db.update(issues).set({ activeRemote: remote }).where(isHolderOf(context.database.tables, id));
}

async function blockerOf(write: Write, { id, userId }: Repo, remote: string): Promise<BlockedMove['by'] | null> {
  const { repos } = write.context.database.tables;
  const [taken] = await write.db
    .select({ id: repos.id })
    .from(repos)
    .where(and(eq(repos.userId, userId), eq(repos.canonicalRemote, remote), ne(repos.id, id)));
  if (taken !== undefined) return { kind: 'registration', id: taken.id };
  const holder = await otherHolder(write, id, remote);
  return holder === null ? null : { kind: 'issue', id: holder.issueId };
}

/** The same path at another origin. */
function below(origin: string, address: string): string {
  return address.replace(/^[a-z]+:\/\/[^/]+/, () => origin);
}
