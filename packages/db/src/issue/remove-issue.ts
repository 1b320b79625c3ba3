import type { NewAuditEntry } from '@sluice/core/audit';
import type { IssueId } from '@sluice/core/id';
import { type Issue, isTerminal } from '@sluice/core/issue';
import { and, eq } from 'drizzle-orm';
import { appendAudit } from '../audit/append-audit.ts';
import { deleteHistory } from '../removal/delete-history.ts';
import { PIECE } from '../removal/delete-removed.ts';
import { hideIssue } from '../removal/hide.ts';
import { isVisible } from '../removal/is-visible.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { originKey } from './origin-key.ts';

/** `IssueStore.remove`. What is too much for one transaction is hidden, and deleted in pieces later. */
export async function removeIssue(
  context: StoreContext,
  id: IssueId,
  audit: NewAuditEntry | undefined,
): Promise<'removed' | 'stale' | 'absent'> {
  const { issues } = context.database.tables;
  return await write(context, async (write) => {
    const { db } = write;
    // An ended issue is retried under this lock. The removal note references the registration, and deleting a
    // registration locks it before its issues, so this takes the same lock first.
    await context.database.lockDispatch(db);
    const [issue] = await db
      .select({
        id: issues.id,
        userId: issues.userId,
        status: issues.status,
        repoId: issues.repoId,
        number: issues.codehostNumber,
        commentId: issues.codehostCommentId,
      })
      .from(issues)
      .where(and(eq(issues.id, id), isVisible(context.database, db)));
    if (issue === undefined) return 'absent';
    if (!isTerminal(issue.status)) return 'stale';
    await noteRemoval(write, issue);
    // The rest of what belongs to it refers to it and goes with it.
    if (await deleteHistory(write, [id], { left: PIECE })) await db.delete(issues).where(eq(issues.id, id));
    else await hideIssue(write, issue);
    await appendAudit(write, audit);
    return 'removed';
  });
}

/** Records that an imported issue was deleted, so that a sync does not import it again. */
async function noteRemoval(
  { context, db, now }: Write,
  issue: { readonly repoId: Issue['repoId']; readonly number: number | null; readonly commentId: string | null },
): Promise<void> {
  const { codehostRemovals: removals } = context.database.tables;
  const { repoId, number, commentId } = issue;
  const origins = [
    ...(number === null ? [] : [originKey({ number })]),
    ...(commentId === null ? [] : [originKey({ commentId })]),
  ];
  for (const origin of origins) {
    await db
      .insert(removals)
      .values({ repoId, origin, at: now })
      .onConflictDoNothing({ target: [removals.repoId, removals.origin] });
  }
}
