import type { IssueId, UserId } from '../id/id.ts';

/** Events that an issue has got within a range of ordinals. */
export interface ChangedIssue {
  readonly issueId: IssueId;
  /** The first and the last of them, by the issue's own sequence. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** The last one's place among the events of all issues. */
  readonly lastOrdinal: number;
}

/**
 * Where events were added, over all of a user's issues. Ordinals are given out before a write is committed, so an event
 * may appear below one that was read already; up to `settledUpTo` none can. Within an issue they rise with its sequence.
 */
export interface EventFeed {
  /** An ordinal up to which no event can appear any more: what is read after this call is all there will ever be. */
  settledUpTo(): Promise<number>;
  /**
   * The user's issues with events after `after`, up to `upTo` (null: whatever is there, seen at one moment), of at most
   * `limit` events (null: of all).
   *
   * @returns with the ordinal up to which that is everything; null where there was no `upTo` to come to
   */
  changed(
    userId: UserId,
    range: { after: number; upTo: number | null; limit: number | null },
  ): Promise<{ readonly issues: readonly ChangedIssue[]; readonly upTo: number | null }>;
}
