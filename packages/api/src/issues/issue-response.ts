import { type Caller, includesRole, issueActs, roleOf } from '@sluice/core/access';
import { activeMs, type Issue, type IssueWire, toFullIssueWire, toGateWire } from '@sluice/core/issue';
import { ANY_APPROVER, approvalStanding, policyAtGate } from '@sluice/core/pipeline';
import type { StoredResponse } from '@sluice/core/request';
import type { ApiDeps } from '../service/api-deps.ts';

/** The response to a request that has created an issue. Nobody has worked on it yet. */
export function issueResponse({ budget }: Pick<ApiDeps, 'budget'>) {
  return (issue: Issue) =>
    ({
      body: toFullIssueWire(issue, { limits: budget, activeMs: 0 }),
      location: `/api/issues/${issue.id}`,
    }) satisfies StoredResponse;
}

type AnswerContext = Pick<ApiDeps, 'issues' | 'runs' | 'budget' | 'repos' | 'members'> & { readonly caller: Caller };

/** The response to any other request about one issue. */
export async function issueAnswer(context: AnswerContext, issue: Issue): Promise<IssueWire> {
  const { runs, budget } = context;
  // Without a stage no attempt was ever made, and there is nothing to read.
  const worked = issue.stage === null ? 0 : activeMs(await runs.attempts(issue.id));
  return toFullIssueWire(issue, { limits: budget, activeMs: worked, gate: await gateFor(context, issue) });
}

/** The open gate with what an approval takes now, and whether one by the caller would count. */
async function gateFor(context: AnswerContext, issue: Issue): Promise<IssueWire['gate']> {
  const { gate, repoId, userId: requesterId } = issue;
  if (gate === null) return null;
  const { issues, repos, caller } = context;
  const [rules, role, estimate] = await Promise.all([
    repos.approvalRules(repoId),
    roleOf(context, caller, repoId),
    gate.kind === 'plan' ? issues.estimate(issue.id, gate.revision) : null,
  ]);
  const policy = rules === null ? null : policyAtGate(gate, rules);
  if (policy === null || role === null || !includesRole(role, issueActs.decide.any)) {
    return toGateWire(gate, { policy: policy ?? ANY_APPROVER, standing: 'role_insufficient', estimate });
  }
  const standing = approvalStanding(caller.userId, { gate, policy, requesterId });
  return toGateWire(gate, { policy, standing, estimate });
}
