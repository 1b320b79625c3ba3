import type { Caller } from '../access/caller.ts';
import type { IssueId, RepoId } from '../id/id.ts';

/** The new events of an issue within a range of ordinals. */
export interface ChangedIssue {
  readonly issueId: IssueId;
  readonly repoId: RepoId;
  /** The first and the last of them, by the issue's sequence numbers. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** The position of the last one among the events of all issues. */
  readonly lastOrdinal: number;
}

/**
 * Finds new events over all issues that a caller may read. Ordinals are assigned before a write commits, so an event can appear below
 * one that was already read, but not below `settledUpTo`. Within an issue, ordinals rise with the sequence numbers.
 */
export interface EventLog {
  /** The ordinal up to which no more events can appear. A read after this call is complete up to it. */
  settledUpTo(): Promise<number>;
  /**
   * Names the history that ordinals and sequence numbers belong to: 8 characters of 0-9 and a-f, or null until the database is
   * restored for the first time. After a restore the same numbers are given again, to other events. Does not change while a
   * process runs.
   */
  epoch(): Promise<string | null>;
  /** Begins another epoch. Part of a restore, before any process runs on the restored database. */
  beginEpoch(): Promise<void>;
  /** The highest ordinal that was ever assigned, also to an event that was deleted or never committed. */
  lastOrdinal(): Promise<number>;
  /**
   * Lists the issues with events after `after` and up to `upTo` (null: up to now, in one snapshot), for at most `limit`
   * events (null: all).
   *
   * @returns also the ordinal up to which the result is complete; null without `upTo`
   */
  changed(
    caller: Caller,
    range: { after: number; upTo: number | null; limit: number | null },
  ): Promise<{ readonly issues: readonly ChangedIssue[]; readonly upTo: number | null }>;
}
