import { hostedNameAt } from '@sluice/core/code-host';
import { type HostedPlace, type RelocateOutcome, type Repo, renamedAddress } from '@sluice/core/repo';
import { and, asc, eq, ne } from 'drizzle-orm';
import { isHolderOf, otherHolder } from '../issue/active-remote.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { readRepo, selectRepos, toRepo } from './read-repo.ts';

/**
 * `RepoStore.relocate`. All registrations of a repository move together, so that no issue can start under the old
 * address while another runs under the new one.
 */
export async function relocateRepo(context: StoreContext, id: Repo['id'], to: HostedPlace): Promise<RelocateOutcome> {
  const { database } = context;
  const { repos } = database.tables;
  return await write(context, async (write) => {
    await database.lockDispatch(write.db);
    const row = await readRepo(write, id);
    if (row === null) return { kind: 'absent' };
    const all =
      row.codehostRepoId === null
        ? [row]
        : (
            await selectRepos(write.db, database.tables)
              .where(and(eq(repos.codehostRepoId, row.codehostRepoId), eq(repos.provider, 'codehost')))
              .orderBy(asc(repos.ordinal))
          ).map(toRepo);
    let outcome: RelocateOutcome = { kind: 'absent' };
    for (const repo of all) {
      const moved = await move(write, repo, to);
      if (repo.id === id) outcome = moved;
    }
    return outcome;
  });
}

async function move(write: Write, repo: Repo, to: HostedPlace): Promise<RelocateOutcome> {
  const { context, db, now } = write;
  const { repos, issues } = context.database.tables;
  const name = hostedNameAt(to.host, repo.url);
  if (name === null) return { kind: 'absent' }; // it would become another repository
  const place = renamedAddress(repo, to.name);
  if (place.url === repo.url) return { kind: 'relocated', repo };
  const [taken] = await db
    .select({ id: repos.id })
    .from(repos)
    .where(and(eq(repos.userId, repo.userId), eq(repos.canonicalRemote, place.canonicalRemote), ne(repos.id, repo.id)));
  if (taken !== undefined) return { kind: 'taken', repoId: taken.id };
  const holder = await otherHolder(write, repo.id, place.canonicalRemote);
  if (holder !== null) return { kind: 'busy', holder };
  await db
    .update(repos)
    .set({ ...place, updatedAt: now, ...(repo.name === name && { name: to.name }) })
    .where(eq(repos.id, repo.id));
  await db
    .update(issues)
    .set({ activeRemote: place.canonicalRemote })
    .where(isHolderOf(context.database.tables, repo.id));
  const relocated = await readRepo(write, repo.id);
  return relocated === null ? { kind: 'absent' } : { kind: 'relocated', repo: relocated };
}
