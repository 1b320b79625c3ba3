import type { CodeHostInbox } from '@sluice/core/code-host';
import type { NewRepo } from '@sluice/core/repo';
import { and, asc, eq, exists, inArray, lte, ne, notExists } from 'drizzle-orm';
import { AT_ONCE_MS } from '../issue/mark-subjects.ts';
import { type Given, prepared } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';

const PROVIDER = 'codehost' satisfies NewRepo['provider'];

const postponeDue = prepared(({ context, db }, given: Given<{ everyMs: number; limit: number }>) => {
  const { tables, at } = context.database;
  const { codehostPolls: polls, repos } = tables;
  const registered = db
    .select({ id: repos.id })
    .from(repos)
    .where(and(eq(repos.codehostRepoId, polls.codehostRepoId), eq(repos.provider, PROVIDER)));
  const isDue = lte(polls.dueAt, at(0));
  const due = db
    .select({ id: polls.codehostRepoId })
    .from(polls)
    .where(and(isDue, exists(registered)))
    .orderBy(asc(polls.dueAt))
    .limit(given('limit'));
  return db
    .update(polls)
    .set({ dueAt: at(given('everyMs')) })
    .where(and(inArray(polls.codehostRepoId, due), isDue))
    .returning({ codehostRepoId: polls.codehostRepoId, cursor: polls.cursor });
});

const setCursor = prepared(({ context, db }, given: Given<{ codehostRepoId: string; cursor: string }>) => {
  const { codehostPolls: polls } = context.database.tables;
  return db
    .update(polls)
    .set({ cursor: given('cursor', polls.cursor) })
    .where(eq(polls.codehostRepoId, given('codehostRepoId', polls.codehostRepoId)));
});

/** When to poll repositories at the code host for changes. Claiming one postpones its next poll. */
export function createPolls(context: StoreContext): Pick<CodeHostInbox, 'claimPolls' | 'savePoll'> {
  return {
    claimPolls: (_owner, { everyMs, limit }) => write(context, (write) => postponeDue(write, { everyMs, limit })),

    savePoll: (codehostRepoId, cursor) =>
      write(context, async (write) => {
        await setCursor(write, { codehostRepoId, cursor });
      }),
  };
}

/**
 * Starts polling a newly registered repository. Its first registration resets the cursor: changes from before are
 * irrelevant. The caller holds the dispatch lock, so that exactly one of several is the first.
 */
export async function beginPolls({ context, db }: Write, repo: NewRepo): Promise<void> {
  const { tables, at } = context.database;
  const { codehostPolls: polls, repos } = tables;
  const { id, codehostRepoId } = repo;
  if (codehostRepoId === null || repo.provider !== PROVIDER) return;
  const others = await db
    .select({ id: repos.id })
    .from(repos)
    .where(and(eq(repos.codehostRepoId, codehostRepoId), eq(repos.provider, PROVIDER), ne(repos.id, id)))
    .limit(1);
  const row = { codehostRepoId, cursor: null, dueAt: at(AT_ONCE_MS) };
  const insert = db.insert(polls).values(row);
  if (others.length > 0) await insert.onConflictDoNothing({ target: polls.codehostRepoId });
  else await insert.onConflictDoUpdate({ target: polls.codehostRepoId, set: { cursor: null } });
}

/** Stops polling a repository at the code host that is no longer registered. The caller holds the dispatch lock. */
export async function endPolls({ context, db }: Write, codehostRepoId: string | null): Promise<void> {
  if (codehostRepoId === null) return;
  const { codehostPolls: polls, repos } = context.database.tables;
  const registered = db.select({ id: repos.id }).from(repos).where(eq(repos.codehostRepoId, codehostRepoId));
  await db.delete(polls).where(and(eq(polls.codehostRepoId, codehostRepoId), notExists(registered)));
}
