import type { ChangedSubject } from './code-host.ts';

/** A changed subject that a worker has taken, and holds for a while. */
export interface ClaimedSubject extends ChangedSubject {
  /** Raised by every mark: what was marked again meanwhile stays marked. */
  readonly mark: number;
  /** Tries so far without success, this one not counted. */
  readonly failures: number;
}

/** What changed at the code host and has not been looked at. Marks of one subject are one row, so a burst is one look. */
export interface CodeHostInbox {
  /**
   * Notes a delivery and marks its subject, in one act.
   *
   * @returns false, and nothing is marked, when that delivery was noted before
   */
  deliver(deliveryId: string, subject: ChangedSubject | null): Promise<boolean>;
  mark(subjects: readonly ChangedSubject[]): Promise<void>;
  /** Takes marked subjects that are due, for `ttlMs`; two processes never hold the same one. */
  claim(owner: string, options: { limit: number; ttlMs: number }): Promise<readonly ClaimedSubject[]>;
  /** Looked at: unmarked, unless it was marked again meanwhile. */
  settle(owner: string, subject: ClaimedSubject): Promise<void>;
  /** To be looked at again, not before `retryInMs`. `failed` counts as a try without success. */
  defer(owner: string, subject: ClaimedSubject, retry: { retryInMs: number; failed: boolean }): Promise<void>;
  /**
   * Ends every hold; what was held counts as a try without success. For the only process on a database when it starts:
   * whoever held something is dead. @returns the holds that it ended
   */
  expireHolds(): Promise<number>;
  /** Forgets deliveries from before. */
  forgetDeliveries(before: Date): Promise<void>;
  /** Repositories at the code host that are due to be asked, for `ttlMs`; with the cursor of the last look. */
  claimPolls(
    owner: string,
    options: { everyMs: number; limit: number },
  ): Promise<readonly { readonly codehostRepoId: string; readonly cursor: string | null }[]>;
  savePoll(codehostRepoId: string, cursor: string): Promise<void>;
}
