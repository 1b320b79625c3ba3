import { activeMs, type Issue, type IssueWire, type StoredResponse, toFullIssueWire } from '@sluice/core';
import type { ApiDeps } from '../service/api-deps.ts';

/** The response to a request that has created an issue. Nobody has worked on it yet. */
export function issueResponse({ budget }: Pick<ApiDeps, 'budget'>) {
  return (issue: Issue) =>
    ({
      body: toFullIssueWire(issue, { limits: budget, activeMs: 0 }),
      location: `/api/issues/${issue.id}`,
    }) satisfies StoredResponse;
}

/** The response to any other request about one issue. */
export async function issueAnswer(
  { runs, budget }: Pick<ApiDeps, 'runs' | 'budget'>,
  issue: Issue,
): Promise<IssueWire> {
  // Without a stage no attempt was ever made, and there is nothing to read.
  const worked = issue.stage === null ? 0 : activeMs(await runs.steps(issue.id));
  return toFullIssueWire(issue, { limits: budget, activeMs: worked });
}
