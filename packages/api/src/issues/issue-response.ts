import { type Issue, type StoredResponse, toIssueWire } from '@sluice/core';

/** The response to a request that has created an issue. */
export const issueResponse = (issue: Issue) =>
  ({ body: toIssueWire(issue), location: `/api/issues/${issue.id}` }) satisfies StoredResponse;
