import type { IssueStatus } from '@sluice/client';

export const endedStatuses = ['completed', 'rejected', 'failed', 'cancelled'] as const satisfies readonly IssueStatus[];

const ended: ReadonlySet<IssueStatus> = new Set(endedStatuses);

/** Whether an issue has ended: nothing works on it any more, though a failed one can be retried. */
export function hasEnded(status: IssueStatus): boolean {
  return ended.has(status);
}
