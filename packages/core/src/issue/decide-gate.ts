import { type Authorized, asAuthorized } from '../access/authorized.ts';
import { neededOnIssue } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { DecisionAction, Gate } from '../pipeline/gate.ts';
import type { PipelineState } from '../pipeline/pipeline-state.ts';
import { proposedCommands } from '../pipeline/plan.ts';
import { publicationDecided } from '../pipeline/publication-decided.ts';
import type { Stage } from '../pipeline/stages.ts';
import { type CompareBaseContext, compareBase } from './compare-base.ts';
import type { NewEvent } from './event-catalog.ts';
import type { Issue } from './issue.ts';
import { type IssueTrigger, isOpenForDecision, needsSlot, nextStatus } from './issue-machine.ts';
import type { IssueChange, IssueStore } from './issue-store.ts';
import { wrongStatus } from './wrong-status.ts';

interface Seen {
  readonly revision?: number | undefined;
  /** The commit to publish, as the approver saw it. Required to approve at the publish gate. */
  readonly headCommit?: string | undefined;
}

export type Decision =
  | (Seen & { readonly action: 'approve' | 'reject' })
  | (Seen & { readonly action: 'instruct'; readonly guidance: string });

const outcomes = {
  plan: {
    approve: { trigger: 'plan_approved', stage: 'implement' },
    reject: { trigger: 'plan_rejected', stage: 'human_review' },
    instruct: { trigger: 'guidance_given', stage: 'plan' },
  },
  publish: {
    approve: { trigger: 'publication_confirmed', stage: 'publish' },
    reject: { trigger: 'plan_rejected', stage: 'publish' },
    instruct: { trigger: 'guidance_given', stage: 'implement' },
  },
} as const satisfies Record<Gate['kind'], Record<DecisionAction, { trigger: IssueTrigger; stage: Stage }>>;

/** How the audit log names the gates. */
const auditedGate = { plan: 'plan', publish: 'publication' } as const satisfies Record<Gate['kind'], string>;

export interface DecideGateContext extends CompareBaseContext {
  readonly issues: IssueStore;
}

/**
 * Records an approver's decision at the plan gate or the publish gate. Of several concurrent decisions exactly one takes
 * effect. An approval is bound to what the approver saw: the plan and its base commit, or the commit to publish.
 *
 * @throws AppError `issue_not_awaiting_approval`; `plan_revision_stale` when `revision` is not the current one;
 * `issue_not_awaiting_publication` when `headCommit` is not the commit that awaits publication, or is missing from an
 * approval at the publish gate; `plan_stale` when a planned file has changed on the base branch; `base_branch_gone`;
 * `remote_unreachable` when the base branch cannot be read, and what `currentRepo` throws
 */
export async function decideGate(
  context: DecideGateContext,
  issue: Authorized<Issue, 'decide'>,
  request: { decision: Decision; by: Initiator; signal: AbortSignal },
): Promise<Issue> {
  const { decision, by, signal } = request;
  const { gate } = issue;
  if (!isOpenForDecision(issue.status) || gate === null) throw notAwaiting(issue);
  requireSeen(gate, decision);
  if (gate.kind === 'plan' && decision.action === 'approve') await requireSameBase(context, issue, signal);
  const { trigger, stage } = outcomes[gate.kind][decision.action];
  const blind = isBlind(decision) ? { blind: true as const } : {};
  const decided: NewEvent = {
    type: 'review.decided',
    data: {
      revision: gate.revision,
      action: decision.action,
      guidance: guidanceOf(decision),
      user_id: by.userId,
      ...blind,
    },
  };
  const outcome = await context.issues.apply({
    issueId: issue.id,
    from: sameGate(issue, gate),
    trigger: issue.holdsSlot ? trigger : triggerWithoutSlot(issue, gate, trigger),
    set: {
      stage,
      gate: null,
      pipeline:
        gate.kind === 'plan'
          ? planDecided(issue, gate, decision)
          : publicationDecided(issue, guidanceOf(decision), decision.action),
    },
    events: [decided],
    audit: auditEntry(
      by,
      {
        action: 'issue.decided',
        subjectId: issue.id,
        detail: { action: decision.action, on: auditedGate[gate.kind], revision: gate.revision, ...blind },
      },
      neededOnIssue('decide', issue, by),
    ),
  });
  if (outcome.kind === 'applied') {
    if (gate.kind === 'plan' && decision.action === 'approve') await keepCommands(context, issue, by);
    return outcome.issue;
  }
  const now = await context.issues.get(issue.id);
  if (now === null) throw new AppError('issue_not_found');
  if (!isOpenForDecision(now.status) || now.gate === null) throw notAwaiting(now);
  // The issue changed, but its gate did not: decide again.
  if (isSameQuestion(now.gate, gate)) return await decideGate(context, asAuthorized(now), request);
  throw new AppError(gate.kind === 'plan' ? 'plan_revision_stale' : 'issue_not_awaiting_publication');
}

/**
 * The repository keeps the commands that the approved plan proposes, unless it has its own by now. The issue itself goes by its
 * plan, so nothing is lost if this is not written.
 */
async function keepCommands({ repos }: DecideGateContext, { plan, repoId }: Issue, by: Initiator): Promise<void> {
  const { setup_command, test_command } = plan === null ? {} : proposedCommands(plan);
  if (setup_command === undefined && test_command === undefined) return;
  const repo = await repos.get(repoId);
  if (repo === null) return;
  const keepsSetup = setup_command !== undefined && repo.setupCommand === null;
  const keepsTest = test_command !== undefined && repo.testCommand === null;
  const fields = [...(keepsSetup ? ['setup_command'] : []), ...(keepsTest ? ['test_command'] : [])];
  if (fields.length === 0) return;
  await repos.update(
    repoId,
    { ...(keepsSetup && { setupCommand: setup_command }), ...(keepsTest && { testCommand: test_command }) },
    (name) => auditEntry(by, { action: 'repo.changed', subjectId: repoId, detail: { name, fields } }),
  );
}

/** It names neither the plan nor the commit, so it holds for whatever waited at that moment. */
function isBlind({ revision, headCommit }: Seen): boolean {
  return revision === undefined && headCommit === undefined;
}

/** An issue whose slot was freed at the gate cannot continue at once: it is queued again, ahead of new issues. */
function triggerWithoutSlot({ status }: Issue, { kind }: Gate, trigger: IssueTrigger): IssueTrigger {
  const next = nextStatus(status, trigger);
  if (next === null || !needsSlot(next)) return trigger;
  return kind === 'plan' ? 'plan_decided_without_slot' : 'publication_decided_without_slot';
}

/** A plan gate is identified by its revision. One plan can lead to several publish gates, so there `lastSeq` must match. */
function sameGate({ status, lastSeq }: Issue, { kind, revision }: Gate): IssueChange['from'] {
  return kind === 'plan' ? { status, planRevision: revision } : { status, planRevision: revision, lastSeq };
}

/** Compares the fields that identify a gate. The others follow from them. */
function isSameQuestion(one: Gate, other: Gate): boolean {
  return (
    one.kind === other.kind &&
    one.revision === other.revision &&
    one.plan_hash === other.plan_hash &&
    one.base_commit === other.base_commit &&
    one.head_commit === other.head_commit &&
    one.requested_at === other.requested_at
  );
}

function requireSeen({ kind, revision, head_commit }: Gate, seen: Decision): void {
  if (seen.revision !== undefined && seen.revision !== revision) {
    throw new AppError('plan_revision_stale', {
      detail: `You saw revision ${seen.revision} of the plan; the current one is ${revision}. Read it and decide again.`,
      body: { revision },
    });
  }
  const body = { head_commit };
  if (seen.headCommit === undefined) {
    // A repeated approval of the plan has the right revision. Without this check it would publish a change unseen.
    if (kind === 'plan' || seen.action !== 'approve') return;
    const detail = `This approval would publish commit ${head_commit}. Review the change, then approve it with that \`head_commit\`.`;
    throw new AppError('issue_not_awaiting_publication', { detail, body });
  }
  if (kind === 'plan') {
    const detail = 'The decision is about a plan, not about a commit. Leave out `head_commit`.';
    throw new AppError('issue_not_awaiting_publication', { detail, body });
  }
  if (seen.headCommit !== head_commit) throw new AppError('issue_not_awaiting_publication', { body });
}

function planDecided(
  { pipeline }: Issue,
  { revision, plan_hash, base_commit }: Gate,
  decision: Decision,
): PipelineState {
  return {
    ...pipeline,
    planning: { ...pipeline.planning, guidance: guidanceOf(decision) },
    approved: decision.action === 'approve' ? { revision, plan_hash, base_commit } : null,
  };
}

function guidanceOf(decision: Decision): string | null {
  return decision.action === 'instruct' ? decision.guidance : null;
}

/** @throws AppError `plan_stale` with the planned files that have changed on the base branch, and what `compareBase` throws */
async function requireSameBase(context: DecideGateContext, issue: Issue, signal: AbortSignal): Promise<void> {
  const files = (await compareBase(context, issue, signal))?.plannedFiles ?? [];
  if (files.length === 0) return;
  throw new AppError('plan_stale', {
    detail: `\`${issue.baseBranch}\` has changed since the plan was made, in ${files.length === 1 ? 'a file' : 'files'} that the plan changes: ${files.slice(0, 10).join(', ')}${files.length > 10 ? ', …' : ''}. Send \`instruct\` to get a new plan on the new base.`,
    body: { files: [...files] },
  });
}

function notAwaiting(issue: Issue): AppError {
  return wrongStatus('issue_not_awaiting_approval', issue, 'only an issue that is `awaiting_approval` can be decided');
}
