import type { IssueId } from '../id/id.ts';
import type { Attempt, NewAttempt } from './attempt-store.ts';
import type { Issue } from './issue.ts';
import type { Lease } from './lease.ts';

interface Claim {
  readonly owner: string;
  readonly ttlMs: number;
  /** Names the attempt that begins in the same write, with its `stage.started` event; null: none does. */
  readonly toBegin?: (issue: Issue) => NewAttempt | null;
}

export interface Claimed {
  readonly lease: Lease;
  readonly issue: Issue;
  /** The attempt that has begun. */
  readonly attempt: Attempt | null;
}

/** Leases: the right of a worker to drive an issue. Writes return false when the lease is lost: nothing was written. */
export interface LeaseStore {
  /** Takes the issue if it is runnable, due and not under a live lease; null otherwise. */
  claim(issueId: IssueId, claim: Claim): Promise<Claimed | null>;
  renew(lease: Lease, ttlMs: number): Promise<boolean>;
  /** Releases the issue, so that any worker can claim it after `retryInMs`. */
  release(lease: Lease, retryInMs?: number): Promise<boolean>;
  /** Issues to claim now: runnable, due, without a live lease. */
  claimable(limit: number): Promise<readonly IssueId[]>;
  /** Milliseconds until the next released issue becomes due, or null. */
  nextDueInMs(): Promise<number | null>;
  /**
   * Ends every lease and every wait before a retry. Only for a process that has just started and is the only one on the
   * database: the clock may have been set back since the leases were written.
   *
   * @returns the number of issues
   */
  expireLeases(): Promise<number>;
  /** The issues among `issueIds` that a worker holds a lease on. */
  leased(issueIds: readonly string[]): Promise<readonly string[]>;
  /** The issues among `issueIds` whose workspace may be needed again: not ended, or failed since `failedSince`. */
  needingWorkspace(issueIds: readonly string[], failedSince: Date): Promise<readonly string[]>;
}
