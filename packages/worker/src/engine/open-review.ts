import {
  AppError,
  approvalSource,
  type ErrorCode,
  type Issue,
  type IssueStore,
  type NewEvent,
  type UserId,
} from '@sluice/core';
import type { IssueExecution } from '../execution/issue-execution.ts';
import type { WorkerDeps } from '../execution/worker-deps.ts';
import { currentPlan } from '../stages/approved-plan.ts';
import { requestedWithGate } from '../stages/plan/own-gate.ts';

type Ports = Pick<WorkerDeps, 'issues' | 'repos'>;

/**
 * The second of the two writes that open the plan gate: the plan is stored, now a person may decide on it. If a worker dies
 * between the two, the issue is in `human_review`, and the next worker that claims it only does this. A follow-up that the
 * approval of the first issue covers goes on to `implement` instead.
 */
export async function openReview(deps: Ports, execution: IssueExecution): Promise<void> {
  if (await inheritApproval(deps, execution)) return;
  await execution.apply({ trigger: 'review_opened', events: requestedWithGate(execution.issue()) });
}

async function inheritApproval(deps: Ports, execution: IssueExecution): Promise<boolean> {
  const issue = execution.issue();
  const { gate, parentIssueId, pipeline } = issue;
  const repo = await deps.repos.get(issue.repoId);
  if (gate === null || parentIssueId === null || pipeline.follow_up === null || repo === null) return false;
  const source = approvalSource({
    issue,
    plan: currentPlan(issue),
    blocker: gate.blocker,
    first: await deps.issues.get(parentIssueId),
    settings: repo.settings,
  });
  if (source.kind === 'own_gate') return false;
  const approver = await approverOf(deps.issues, source.first);
  if (approver === null) return false;
  const { revision, plan_hash, base_commit } = gate;
  const inherited_from = source.first.id;
  try {
    await execution.apply({
      trigger: 'approval_inherited',
      set: {
        stage: 'implement',
        gate: null,
        pipeline: { ...pipeline, approved: { revision, plan_hash, base_commit, inherited_from } },
      },
      events: [
        {
          type: 'review.decided',
          data: { revision, action: 'approve', guidance: null, user_id: approver, inherited_from },
        },
      ],
      audit: {
        userId: approver,
        actor: { kind: 'service' },
        act: {
          action: 'issue.decided',
          subjectId: issue.id,
          detail: { action: 'approve', on: 'plan', revision, inherited_from },
        },
        needs: { repoId: issue.repoId, role: 'approver' },
      },
    });
    return true;
  } catch (error) {
    if (error instanceof AppError && decidesNoMore.has(error.code)) return false;
    throw error;
  }
}

/** Of the person who approved. */
const decidesNoMore: ReadonlySet<ErrorCode> = new Set(['account_disabled', 'not_owner', 'role_insufficient']);

const WINDOW = 200;

/** Who approved the plan of an issue; null when its events do not say. */
async function approverOf(issues: IssueStore, issue: Issue): Promise<UserId | null> {
  const revision = issue.pipeline.approved?.revision;
  for (let after = 0; after < issue.lastSeq; after += WINDOW) {
    const events: readonly NewEvent[] = await issues.events(issue.id, { after, limit: WINDOW });
    // A publication is approved by the same event, but only after the plan.
    for (const event of events) {
      if (event.type !== 'review.decided' || event.data.action !== 'approve') continue;
      if (event.data.revision === revision) return event.data.user_id as UserId;
    }
  }
  return null;
}
