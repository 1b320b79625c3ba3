import { MAX_ISSUE_ATTACHMENTS } from '@sluice/core/attachment';
import { AppError } from '@sluice/core/error';
import type { AttachmentId, IssueId, UserId } from '@sluice/core/id';
import type { Attaching } from '@sluice/core/issue';
import { and, eq, gt } from 'drizzle-orm';
import { type GivenList, isAmong, listsOf } from '../store/given-list.ts';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';

interface Taken {
  readonly issueId: IssueId;
  readonly userId: UserId;
  readonly now: Date;
  readonly nothing: null;
}

const take = prepared(({ context, db }, given: Given<GivenList<AttachmentId> & Taken>) => {
  const { attachments } = context.database.tables;
  const { id, issueId, userId, expiresAt } = attachments;
  const isUnused = and(
    isAmong(id, given as Given<GivenList<AttachmentId>>),
    eq(userId, given('userId', userId)),
    gt(expiresAt, given('now', expiresAt)),
  );
  return db
    .update(attachments)
    .set({ issueId: given('issueId', issueId), expiresAt: given('nothing', expiresAt) })
    .where(isUnused)
    .returning({ id });
});

const selectOfIssue = prepared(({ context, db }, given: Given<{ issueId: IssueId; limit: number }>) => {
  const { attachments } = context.database.tables;
  return db
    .select({ id: attachments.id })
    .from(attachments)
    .where(eq(attachments.issueId, given('issueId', attachments.issueId)))
    .limit(given('limit'));
});

/**
 * Gives unused attachments of a user to an issue, all or none. The caller has written the issue's row in this transaction, so
 * that two of them count each other.
 *
 * @throws AppError `attachment_unusable`, `issue_attachments_full`
 */
export async function attach(write: Write, issueId: IssueId, { by: userId, ids }: Attaching): Promise<void> {
  if (ids.length === 0) return;
  const { now } = write;
  const wanted = [...new Set(ids)];
  let taken = 0;
  for (const list of listsOf(wanted))
    taken += (await take(write, { ...list, issueId, userId, now, nothing: null })).length;
  if (taken < wanted.length) throw new AppError('attachment_unusable');
  const found = await selectOfIssue(write, { issueId, limit: MAX_ISSUE_ATTACHMENTS + 1 });
  if (found.length <= MAX_ISSUE_ATTACHMENTS) return;
  throw new AppError('issue_attachments_full', {
    detail: `An issue has at most ${MAX_ISSUE_ATTACHMENTS} attachments, and with these it would have more.`,
  });
}
