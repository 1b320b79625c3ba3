import type { Issue, IssueStore, ResponseToStore } from '@sluice/core';
import { toIssueWire } from '@sluice/core';

/** How a request is answered that has made an issue. */
export const issueAnswer = (issue: Issue) => ({ body: toIssueWire(issue), location: `/api/issues/${issue.id}` });

/** The store, which keeps the answer with the issue that is created. */
export function answeringIssues(issues: IssueStore, answer: ResponseToStore<Issue> | undefined): IssueStore {
  return { ...issues, create: (issue, options) => issues.create(issue, { ...options, answer }) };
}
