import type { IssueStatus } from '@sluice/client';
import { issueGroups } from './search-params.ts';

const ended: ReadonlySet<IssueStatus> = new Set(issueGroups.done);

/** Whether an issue has ended: nothing works on it any more, though a failed one can be retried. */
export function hasEnded(status: IssueStatus): boolean {
  return ended.has(status);
}
