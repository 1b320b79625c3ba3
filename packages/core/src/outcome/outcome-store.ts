import type { Caller } from '../access/caller.ts';
import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { CloseReason } from '../code-host/close-reason.ts';
import type { IssueId, RepoId, UserId } from '../id/id.ts';
import type { ChangeRequestRecord, CloseAnswer } from './change-request-record.ts';
import type { OutcomeTally } from './outcome-tally.ts';
import type { OutcomeFacts } from './update-outcome.ts';

/** One pull request of ours. */
export interface ChangeRequestKey {
  readonly repoId: RepoId;
  readonly number: number;
}

/** By what outcomes are compared. Never by person. */
export const outcomeGroupings = ['repo', 'model', 'prompt_revision'] as const;
export type OutcomeGrouping = (typeof outcomeGroupings)[number];

/** The pull requests that are counted: those that were opened in a period. */
export interface OutcomeQuery {
  /** Counts only repositories that this caller may read, unless `repoId` names one. */
  readonly caller: Caller;
  /** Counts this repository alone, which the caller must be allowed to read. */
  readonly repoId: RepoId | null;
  /** Opened at this time or later. */
  readonly from: Date;
  /** Opened before this time. */
  readonly to: Date;
}

export interface OutcomeCounting {
  readonly groupBy: OutcomeGrouping | null;
  readonly isDivisible: boolean;
}

/** The outcomes of the pull requests of one group, added up by the database. */
export interface GroupTally {
  /** The id of the repository, the names of the models or the revision; null where none was recorded, or nothing is grouped. */
  readonly group: string | null;
  /** Set in a group by repository. */
  readonly repoName: string | null;
  readonly tally: OutcomeTally;
  /** Milliseconds from the opening to the merge, of each whose merge has a known time. */
  readonly mergeTimes: readonly number[];
}

export interface OutcomeSpan {
  /** When the first of them was opened. */
  readonly first: Date;
  readonly last: Date;
  /** How many there are, counted up to many times `atOnce`. */
  readonly opened: number;
  /** How many the database counts at once. */
  readonly atOnce: number;
}

export interface NewCloseAnswer {
  readonly reason: CloseReason;
  readonly note: string | null;
  readonly userId: UserId;
}

/**
 * The outcomes of the pull requests of issues. A record is written in the transaction that records the pull request on
 * its issue, and goes with that issue.
 */
export interface OutcomeStore {
  /** Null where no issue was published to it, or that issue was deleted. */
  get(key: ChangeRequestKey): Promise<ChangeRequestRecord | null>;
  /** The record of the pull request that this issue opened, or that it follows up; null where there is none. */
  ofIssue(issueId: IssueId): Promise<ChangeRequestRecord | null>;
  /**
   * Folds what the code host says into the record (`updateOutcome`), with a `close.asked` event when the reason of a close
   * is asked for, and a `build.updated` event when there is news of the build. Adds the record of a pull request that an earlier release opened.
   *
   * @returns null, and nothing is written, where no issue was published to it
   */
  note(key: ChangeRequestKey, facts: OutcomeFacts): Promise<ChangeRequestRecord | null>;
  /**
   * Keeps the reason of a close, with a `close.answered` event. The same person may give another reason; the same one
   * again writes nothing.
   *
   * @returns `absent` where there is no record, `not_closed` where it is open or merged, `answered_before` with the answer of
   * another person, which stays
   */
  answerClose(
    key: ChangeRequestKey,
    answer: NewCloseAnswer,
    audit?: NewAuditEntry,
  ): Promise<
    | { readonly kind: 'answered'; readonly record: ChangeRequestRecord }
    | { readonly kind: 'answered_before'; readonly answer: CloseAnswer }
    | { readonly kind: 'absent' | 'not_closed' }
  >;
  /** The period in which they were opened, and their number; null where there is none. */
  span(query: OutcomeQuery): Promise<OutcomeSpan | null>;
  /** Counts them, in groups. Null where there are more than the database counts at once and the period may be divided. */
  tally(query: OutcomeQuery, counting: OutcomeCounting): Promise<readonly GroupTally[] | null>;
}
