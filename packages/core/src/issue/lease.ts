import type { IssueId } from '../id/id.ts';

/**
 * The right to drive one issue for a limited time. Every claim raises the epoch, the fencing token: writes with an older
 * epoch are refused.
 */
export interface Lease {
  readonly issueId: IssueId;
  readonly owner: string;
  readonly epoch: number;
}
