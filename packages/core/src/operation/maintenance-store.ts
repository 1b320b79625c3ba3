import type { IssueId } from '../id/id.ts';
import type { QueueStats } from '../issue/queue-stats.ts';

/** Where a walk over the ended issues stands; `null` begins it, and ends it. */
export type WalkPosition = number | null;

/**
 * Clears away what nobody can use any more, or wants to have kept. Every call is a few short transactions, may run
 * beside others like it, and may be cut off at any point.
 */
export interface MaintenanceStore {
  /**
   * Deletes, at most `limit` of each kind, sessions and sign-ins that are over since `before`, and answers to named
   * requests that are older; and counts of failed logins that are `FAILED_LOGIN_DAYS` older than that.
   *
   * @returns whether there may be more of them
   */
  clearExpired(options: { readonly before: Date; readonly limit: number }): Promise<boolean>;
  /**
   * The next issues, at most `limit`, that have ended before `endedBefore` and whose history can be forgotten in part.
   *
   * @returns `next` is what to go on `after`; null at the end
   */
  withOldHistory(options: {
    readonly endedBefore: Date;
    readonly after: WalkPosition;
    readonly limit: number;
  }): Promise<{ readonly issueIds: readonly IssueId[]; readonly next: WalkPosition }>;
  /**
   * Deletes events other than milestones, and the output of commands; of an issue that cannot be retried its journals
   * as well. Nothing of one that has not ended before `endedBefore`, even if it had when it was found.
   *
   * @returns how many rows; never more than `limit` of each kind, so that nobody waits for it
   */
  forgetHistory(issueId: IssueId, options: { readonly endedBefore: Date; readonly limit: number }): Promise<number>;
}

/** Both ports as one object. */
export type UpkeepStore = MaintenanceStore & QueueStats;
