import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { CloseReason } from '../code-host/close-reason.ts';
import type { IssueId, RepoId, UserId } from '../id/id.ts';
import type { ChangeRequestRecord, CloseAnswer } from './change-request-record.ts';
import type { OutcomeFacts } from './update-outcome.ts';

/** One pull request of ours. */
export interface ChangeRequestKey {
  readonly repoId: RepoId;
  readonly number: number;
}

/** A pull request as the outcomes count it. */
export interface OutcomeRow extends ChangeRequestRecord {
  /** Of its first issue and of the follow-ups; null where the price of one is unknown. */
  readonly costUsd: number | null;
}

export interface OutcomeQuery {
  readonly repoId: RepoId;
  /** Opened at this time or later. */
  readonly from: Date | null;
  /** Opened before this time. */
  readonly to: Date | null;
  /** The pull requests with a higher number; 0 for all. */
  readonly after: number;
  readonly limit: number;
}

export interface NewCloseAnswer {
  readonly reason: CloseReason;
  readonly note: string | null;
  readonly userId: UserId;
}

/**
 * What became of the pull requests of issues. A record is written in the transaction that records the pull request on its
 * issue, and goes with that issue.
 */
export interface OutcomeStore {
  /** Null where no issue was published to it, or that issue was deleted. */
  get(key: ChangeRequestKey): Promise<ChangeRequestRecord | null>;
  /** Of the pull request that this issue opened, or that it follows up; null where there is none. */
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
  /** The pull requests of a repository, by number. */
  list(query: OutcomeQuery): Promise<readonly OutcomeRow[]>;
}
