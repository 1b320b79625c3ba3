import type { ChangedBranches, ChangedSubject } from './code-host.ts';

/** A changed subject that a worker has claimed for a limited time. */
export interface ClaimedSubject extends ChangedSubject {
  /** Raised by every mark, so that a subject marked again meanwhile stays marked. */
  readonly mark: number;
  /** Failed attempts before this one. */
  readonly failures: number;
}

/** Subjects that changed at the code host and await a sync. One row per subject, so a burst leads to one sync. */
export interface CodeHostInbox {
  /**
   * Records a delivery and marks its subject, atomically. Of branches, marks the open pull requests from or into them that
   * issues were published to.
   *
   * @returns false, and nothing is marked, for a repeated delivery
   */
  deliver(deliveryId: string, changed: ChangedSubject | ChangedBranches | null): Promise<boolean>;
  mark(subjects: readonly ChangedSubject[]): Promise<void>;
  /** Marks the members of the repositories that mirror them, unless they were marked within the last `everyMs`. */
  markMembers(everyMs: number): Promise<void>;
  /** Claims marked subjects that are due, for `ttlMs`. Two processes never hold the same subject. */
  claim(owner: string, options: { limit: number; ttlMs: number }): Promise<readonly ClaimedSubject[]>;
  /** Whether a claim still holds, by the store's clock. Asked right before an effect outside the store. */
  isHeld(owner: string, subject: ClaimedSubject): Promise<boolean>;
  /** Ends a successful claim: unmarks the subject, unless it was marked again meanwhile. */
  settle(owner: string, subject: ClaimedSubject): Promise<void>;
  /** Schedules another sync after `retryInMs`. With `failed`, counts a failed attempt. */
  defer(owner: string, subject: ClaimedSubject, retry: { retryInMs: number; failed: boolean }): Promise<void>;
  /**
   * Ends every claim as a failed attempt. For the only process on a database, when it starts: all holders are dead.
   * @returns the number of claims that it ended
   */
  expireHolds(): Promise<number>;
  /** Deletes deliveries before a time. */
  forgetDeliveries(before: Date): Promise<void>;
  /** Claims repositories that are due to be polled, with the cursor of the last poll. */
  claimPolls(
    owner: string,
    options: { everyMs: number; limit: number },
  ): Promise<readonly { readonly codehostRepoId: string; readonly cursor: string | null }[]>;
  savePoll(codehostRepoId: string, cursor: string): Promise<void>;
}
