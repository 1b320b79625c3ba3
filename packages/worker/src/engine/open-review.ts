import { AppError, type ErrorCode } from '@sluice/core/error';
import { approvalSource } from '@sluice/core/follow-up';
import type { UserId } from '@sluice/core/id';
import type { Issue, IssueStore, NewEvent } from '@sluice/core/issue';
import { policyAtGate } from '@sluice/core/pipeline';
import type { IssueExecution } from '../execution/issue-execution.ts';
import type { WorkerDeps } from '../execution/worker-deps.ts';
import { currentPlan } from '../stages/current-plan.ts';
import { requestedWithGate } from '../stages/plan/own-gate.ts';

type Ports = Pick<WorkerDeps, 'issues' | 'repos' | 'members'>;

/**
 * The second of the two writes that open the plan gate: the plan is stored, now a person may decide on it. If a worker dies
 * between the two, the issue is in `human_review`, and the next worker that claims it only does this. A follow-up that the
 * approval of the first issue covers goes on to `implement` instead.
 */
export async function openReview(deps: Ports, execution: IssueExecution): Promise<void> {
  const inherited = await inheritApproval(deps, execution);
  if (inherited === 'inherited') return;
  const { gate } = execution.issue();
  await execution.apply({
    trigger: 'review_opened',
    ...(inherited === 'too_few' &&
      gate !== null && { set: { gate: { ...gate, reasons: [TOO_FEW, ...gate.reasons] } } }),
    events: requestedWithGate(execution.issue()),
  });
}

const TOO_FEW = 'The approval of the first plan is not enough by the rules of the repository.';

/** @returns `too_few` where only the rules for approvals keep it from being inherited */
async function inheritApproval(deps: Ports, execution: IssueExecution): Promise<'inherited' | 'too_few' | 'own_gate'> {
  const issue = execution.issue();
  const { gate, parentIssueId, pipeline } = issue;
  const repo = await deps.repos.get(issue.repoId);
  if (gate === null || parentIssueId === null || pipeline.follow_up === null || repo === null) return 'own_gate';
  const source = approvalSource({
    issue,
    plan: currentPlan(issue),
    blocker: gate.blocker,
    first: await deps.issues.get(parentIssueId),
    settings: repo.settings,
  });
  if (source.kind === 'own_gate') return 'own_gate';
  const approved = await approvalOf(deps.issues, source.first);
  const rules = await deps.repos.approvalRules(repo.id);
  if (approved === null || rules === null) return 'own_gate';
  const policy = policyAtGate(gate, rules);
  const requesters: readonly UserId[] = [issue.userId, source.first.userId];
  const counted = approved.users.filter((userId) => policy.requesterApproves || !requesters.includes(userId));
  const users = await deps.members.approversAmong(repo.id, counted);
  const approver = users.at(-1);
  if (approver === undefined || users.length < policy.approvals) {
    // The approvers may have lost the role, which is no fault of the rules.
    return counted.length < policy.approvals ? 'too_few' : 'own_gate';
  }
  const { revision, plan_hash, base_commit } = gate;
  const inherited_from = source.first.id;
  const about = { plan_hash, base_commit };
  try {
    await execution.apply({
      trigger: 'approval_inherited',
      approval: { repoId: repo.id, gate: 'plan', policy, users },
      set: {
        stage: 'implement',
        gate: null,
        pipeline: { ...pipeline, approved: { revision, plan_hash, base_commit, inherited_from } },
      },
      events: [
        {
          type: 'review.decided',
          data: { revision, action: 'approve', guidance: null, user_id: approver, ...about, inherited_from },
        },
      ],
      audit: {
        userId: approver,
        actor: { kind: 'service' },
        act: {
          action: 'issue.decided',
          subjectId: issue.id,
          detail: { action: 'approve', on: 'plan', revision, ...about, inherited_from },
        },
        needs: { repoId: issue.repoId, role: 'approver' },
      },
    });
    return 'inherited';
  } catch (error) {
    if (error instanceof AppError && decidesNoMore.has(error.code)) return 'own_gate';
    throw error;
  }
}

/** The errors of an approver who may no longer decide. */
const decidesNoMore: ReadonlySet<ErrorCode> = new Set(['account_disabled', 'not_owner', 'role_insufficient']);

const WINDOW = 200;

/** The approvers of an issue's plan, the last one last; null when its events do not say. */
async function approvalOf(issues: IssueStore, issue: Issue): Promise<{ readonly users: readonly UserId[] } | null> {
  const revision = issue.pipeline.approved?.revision;
  for (let after = 0; after < issue.lastSeq; after += WINDOW) {
    const events: readonly NewEvent[] = await issues.events(issue.id, { after, limit: WINDOW });
    // A publication is approved by the same event, but only after the plan.
    for (const event of events) {
      if (event.type !== 'review.decided' || event.data.action !== 'approve') continue;
      const { approvals, user_id } = event.data;
      if (event.data.revision !== revision) continue;
      return { users: (approvals?.map((approval) => approval.user_id) ?? [user_id]) as UserId[] };
    }
  }
  return null;
}
