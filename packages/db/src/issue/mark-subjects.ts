import type { ChangedSubject } from '@sluice/core/code-host';
import type { Issue } from '@sluice/core/issue';
import { eq, sql } from 'drizzle-orm';
import { inChunks } from '../event/append-events.ts';
import type { Write } from '../store/store-context.ts';

/** A column rounds to milliseconds, and what is due now must not be in the future. */
export const AT_ONCE_MS = -1;

/** Transactions that write several rows lock them in this order, so that they cannot deadlock. */
export function inLockOrder<Row extends ChangedSubject>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => (subjectKey(a) < subjectKey(b) ? -1 : 1));
}

function subjectKey({ codehostRepoId, kind, number }: ChangedSubject): string {
  return `${codehostRepoId} ${kind} ${number}`;
}

/** Marks subjects for a sync, at once. */
export async function markSubjects({ context, db, now }: Write, subjects: readonly ChangedSubject[]): Promise<void> {
  const { tables, at } = context.database;
  const { codehostInbox: inbox } = tables;
  const once = new Map(subjects.map((subject) => [subjectKey(subject), subject]));
  const rows = inLockOrder([...once.values()]).map(({ codehostRepoId, kind, number }) => ({
    codehostRepoId,
    kind,
    number,
    mark: 1,
    markedAt: now,
    runAfter: at(AT_ONCE_MS),
    failures: 0,
  }));
  // What waits in the row is kept where it is due already, or waits after a failure.
  const runAfter = sql`case when ${inbox.failures} > 0 or ${inbox.runAfter} <= ${at(0)} then ${inbox.runAfter} else ${at(AT_ONCE_MS)} end`;
  for (const some of inChunks(rows)) {
    await db
      .insert(inbox)
      .values(some)
      .onConflictDoUpdate({
        target: [inbox.codehostRepoId, inbox.kind, inbox.number],
        set: { mark: sql`${inbox.mark} + 1`, markedAt: now, runAfter },
      });
  }
}

/**
 * Marks the pull request of a follow-up that has ended, in the transaction that ends it: what waited for that end is done by the
 * next sync, even if this process dies now. Remarks are answered, a draft is made ready, a base that
 * moved is merged. The host may have told of it before, and does so only once.
 */
export async function markChangeRequest(
  write: Write,
  { parentIssueId, repoId }: Pick<Issue, 'parentIssueId' | 'repoId'>,
): Promise<void> {
  if (parentIssueId === null) return;
  const { issues, repos } = write.context.database.tables;
  const [found] = await write.db
    .select({ number: issues.changeRequestNumber, codehostRepoId: repos.codehostRepoId })
    .from(issues)
    .innerJoin(repos, eq(repos.id, repoId))
    .where(eq(issues.id, parentIssueId));
  if (found === undefined || found.number === null || found.codehostRepoId === null) return;
  const { number, codehostRepoId } = found;
  await markSubjects(write, [{ codehostRepoId, kind: 'change_request', number }]);
}
