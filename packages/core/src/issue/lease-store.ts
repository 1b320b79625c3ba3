import type { IssueId } from '../id/id.ts';
import type { Issue } from './issue.ts';

/**
 * The right to drive one issue, for a while. Every claim raises the epoch; whatever is written under an older
 * epoch is refused, whatever its holder still believes.
 */
export interface Lease {
  readonly issueId: IssueId;
  readonly owner: string;
  readonly epoch: number;
}

/** Who may drive which issue. Writes return false when the lease is lost: nothing was written. */
export interface LeaseStore {
  /** Takes the issue if it is runnable, due and not under a live lease; null otherwise. */
  claim(issueId: IssueId, owner: string, ttlMs: number): Promise<{ lease: Lease; issue: Issue } | null>;
  renew(lease: Lease, ttlMs: number): Promise<boolean>;
  /** Lets go, so that anybody may claim it, not before `retryInMs` have passed. */
  release(lease: Lease, retryInMs?: number): Promise<boolean>;
  /** Issues that somebody should claim now: runnable, due, without a live lease. */
  claimable(limit: number): Promise<readonly IssueId[]>;
  /** Milliseconds until the next released issue becomes due, or null. */
  nextDueInMs(): Promise<number | null>;
  /**
   * Ends every lease, and every pause before a next try: only for the single process that holds the database alone and
   * has just started. What it ended was measured by a clock that may have been set back since.
   *
   * @returns of how many issues
   */
  expireLeases(): Promise<number>;
  /** Of these issues, those that some worker holds a lease on. */
  leased(issueIds: readonly string[]): Promise<readonly string[]>;
  /** Of these issues, those whose workspace may be needed again: not ended, or failed since `failedSince`. */
  needingWorkspace(issueIds: readonly string[], failedSince: Date): Promise<readonly string[]>;
}
