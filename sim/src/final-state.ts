import type { Issue, IssueEvent, IssueStore } from '@sluice/core/issue';
import type { Outside } from './outside.ts';
import type { Script } from './scripted-people.ts';

/**
 * The end of one issue, without the parts that depend on the order of events: times, numbers of events and pull
 * requests, attempts, and the process.
 */
export type FinalState = Readonly<Record<string, unknown>>;

/** The final states of scripted issues, by the end of their ids. */
export async function finalStates(
  issues: IssueStore,
  outside: Outside,
  scripts: readonly Script[],
): Promise<Record<string, FinalState>> {
  const states: Record<string, FinalState> = {};
  for (const { issueId } of scripts) {
    const issue = await issues.get(issueId);
    const events = issue === null ? [] : await issues.events(issueId, { after: 0, limit: 100_000 });
    states[issueId.slice(-4)] = { ...ofIssue(issue, events), ...atHost(outside, issueId) };
  }
  return states;
}

function ofIssue(issue: Issue | null, events: readonly IssueEvent[]): FinalState {
  if (issue === null) return { status: 'deleted' };
  const { status, stage, plan, error, usage, pipeline, changeRequest, result } = issue;
  return {
    status,
    stage,
    plan: plan && { revision: plan.revision, summary: plan.summary, guidance: plan.guidance },
    error: error?.stage ?? null,
    usage,
    rounds: pipeline.rounds.implement,
    changeRequest: changeRequest?.state ?? null,
    result: result && {
      branch: result.branch,
      base: result.base_commit,
      head: result.head_commit,
      tests: result.tests,
    },
    decisions: events.flatMap(({ type, data }) =>
      type === 'review.decided' ? [`${data.revision} ${data.action} ${data.guidance}`] : [],
    ),
    statuses: events.flatMap(({ type, data }) => (type === 'issue.status' ? [`${data.from} -> ${data.to}`] : [])),
  };
}

function atHost(outside: Outside, issueId: string): FinalState {
  const isIts = (branch: string) => branch.includes(issueId.slice(-8));
  return {
    branches: outside
      .branches()
      .filter(({ branch }) => isIts(branch))
      .map(({ repo, branch }) => {
        const files = outside.repo(repo).branches.get(branch)?.files;
        return { repo, branch, files: files === undefined ? null : [...files].sort() };
      }),
    pulls: outside.pulls
      .filter(({ headBranch }) => isIts(headBranch))
      .map(({ repo, state, headCommit, baseBranch }) => ({ repo, state, headCommit, baseBranch })),
    comments: outside.comments
      .filter((comment) => comment.issueId === issueId)
      .map(({ repo, number }) => ({ repo, number })),
  };
}
