import type { Issue, NewIssue, PublishedChangeRequest } from '@sluice/core/issue';
import { openedRecord, republishedRecord } from '@sluice/core/outcome';
import type { FollowUpCause } from '@sluice/core/pipeline';
import { eq, sql } from 'drizzle-orm';
import { type Given, prepared } from '../store/prepared.ts';
import type { Write } from '../store/store-context.ts';
import { insertRecord, readRecord, updateRecord } from './record-row.ts';

/**
 * Adds or updates the record of a pull request that an issue was published to. A write that changes a record changes its
 * first issue before it, so that no two writers wait for each other.
 */
export async function recordPublication(
  write: Write,
  issue: Pick<Issue, 'id' | 'repoId' | 'pipeline'>,
  changeRequest: PublishedChangeRequest,
): Promise<void> {
  const key = { repoId: issue.repoId, number: changeRequest.number };
  const known = await readRecord(write.context, write.db, key);
  if (known === null) await insertRecord(write, openedRecord(issue, changeRequest, write.now));
  else await updateRecord(write, republishedRecord(known, issue));
}

const countBuild = prepared(({ context, db }, given: Given<Pick<Issue, 'id'>>) => {
  const { changeRequests: of } = context.database.tables;
  return db
    .update(of)
    .set({ buildRounds: sql`${of.buildRounds} + 1` })
    .where(eq(of.issueId, given('id', of.issueId)));
});

const countReview = prepared(({ context, db }, given: Given<Pick<Issue, 'id'>>) => {
  const { changeRequests: of } = context.database.tables;
  return db
    .update(of)
    .set({ reviewRounds: sql`${of.reviewRounds} + 1` })
    .where(eq(of.issueId, given('id', of.issueId)));
});

/** Counts a new follow-up as a round of the pull request that its parent opened. */
export async function countRound(
  write: Write,
  { origin, parentIssueId, followUp }: Pick<NewIssue, 'origin' | 'parentIssueId' | 'followUp'>,
): Promise<void> {
  if (origin !== 'follow_up' || parentIssueId === undefined) return;
  await countOf[followUp?.kind ?? 'comment']?.(write, { id: parentIssueId });
}

/** The counter of a follow-up's cause. A moved base counts as neither. */
const countOf: Readonly<Record<FollowUpCause['kind'], typeof countReview | null>> = {
  comment: countReview,
  review: countReview,
  build: countBuild,
  base: null,
};
