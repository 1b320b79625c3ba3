import type { IssueId } from '../id/id.ts';

/** The position of a scan over the ended issues; `null` before the first and after the last page. */
export type WalkPosition = number | null;

/**
 * Deletes expired data. Each call consists of a few short transactions, can run concurrently, and can be interrupted at
 * any point.
 */
export interface MaintenanceStore {
  /**
   * Deletes, up to `limit` of each kind, sessions and sign-ins that ended before `before`, stored responses from before it,
   * workers that were last seen before it, counts of failed logins from `FAILED_LOGIN_DAYS` before it, and what was spent before
   * `firstKeptMonth`.
   *
   * @returns whether there may be more
   */
  clearExpired(options: { readonly before: Date; readonly limit: number }): Promise<boolean>;
  /**
   * Deletes a piece of the repositories and issues that were removed: rows that nobody sees any more.
   *
   * @returns whether there may be more
   */
  deleteRemoved(): Promise<boolean>;
  /** Refreshes what the database knows about the sizes of its tables. Does nothing where it does so by itself. */
  optimize(): Promise<void>;
  /**
   * Gives a little of the space of deleted rows back to the disk, where the database does not reuse it by itself.
   *
   * @returns whether there may be more
   */
  releaseSpace(): Promise<boolean>;
  /**
   * Up to `limit` issues that ended before `endedBefore` and whose history can be reduced. Each call looks at a limited
   * number of issues, so that it is short also where none is old enough: a page before the last may be empty.
   *
   * @returns also `next`, the position to continue `after`; null at the end
   */
  withOldHistory(options: {
    readonly endedBefore: Date;
    readonly after: WalkPosition;
    readonly limit: number;
  }): Promise<{ readonly issueIds: readonly IssueId[]; readonly next: WalkPosition }>;
  /**
   * Deletes events other than milestones and the output of commands, and the journals of an issue that cannot be retried.
   * Does nothing if the issue did not end before `endedBefore`, or was retried since.
   *
   * @returns the number of rows; at most `limit` of each kind, fewer large ones, to keep transactions short
   */
  forgetHistory(issueId: IssueId, options: { readonly endedBefore: Date; readonly limit: number }): Promise<number>;
}
