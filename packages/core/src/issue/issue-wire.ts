import * as z from 'zod';
import { budgetKinds } from '../budget/monthly-budget.ts';
import { changeRequestStates } from '../code-host/change-request.ts';
import { type Estimate, estimateWire, toEstimateWire } from '../estimate/estimate.ts';
import { type ApprovalPolicy, type ApprovalStanding, approvalStandings } from '../pipeline/approval-policy.ts';
import type { Budget } from '../pipeline/budget.ts';
import { budgetLeft, budgetLeftSchema } from '../pipeline/budget-left.ts';
import { followUpCauseSchema } from '../pipeline/follow-up-cause.ts';
import { type Gate, gateSchema } from '../pipeline/gate.ts';
import { commandSources, type PipelineState, type Triage, triageSchema } from '../pipeline/pipeline-state.ts';
import { planSchema } from '../pipeline/plan.ts';
import { stages } from '../pipeline/stages.ts';
import { usageSchema } from '../pipeline/usage.ts';
import { instantText } from '../text/instant-text.ts';
import { type Issue, issueOrigins, type ListedIssue } from './issue.ts';
import { issueStatuses } from './issue-machine.ts';
import { issueErrorSchema, issueResultSchema } from './issue-result.ts';

const instant = z.iso.datetime();

/** The part of a triage that an approver decides by. */
export const triageWire = triageSchema.pick({ kind: true, risk: true, open_questions: true });

const commandWire = z.object({
  command: z.string(),
  source: z
    .enum(commandSources)
    .nullable()
    .describe('The settings of the repository, or its files; null where an earlier release prepared the issue.'),
});

const commandsWire = z.object({
  setup: commandWire.nullable().describe('Installs the dependencies; null: none runs.'),
  test: commandWire.nullable().describe('null: none is known, and the change is not tested.'),
});

/** An open gate, as the caller sees it. */
export const gateWire = gateSchema.extend({
  your_approval: z
    .enum(approvalStandings)
    .nullable()
    .default(null)
    .describe(
      'Whether an approval of yours `counts`, or the code with which it would be refused; null in lists and events. There, `approvals_needed` and `requester_approves` are those with which the gate was opened.',
    ),
  estimate: estimateWire
    .nullable()
    .default(null)
    .describe(
      'What the rest of the run will take, by past runs of this installation; null at a gate to publish, at gates of old versions, in lists and in events.',
    ),
});

export type GateWire = z.infer<typeof gateWire>;

/** The issue on the wire: one schema for REST, tRPC and the events that carry an issue. */
export const issueWire = z.object({
  id: z.uuid(),
  repo_id: z.uuid(),
  title: z.string(),
  body: z.string(),
  status: z.enum(issueStatuses),
  stage: z.enum(stages).nullable(),
  origin: z.enum(issueOrigins),
  labels: z.array(z.string()),
  created_by: z
    .uuid()
    .nullable()
    .default(null)
    .describe('The user who created or imported it; null in `issue.created` of earlier releases.'),
  parent_issue_id: z.uuid().nullable(),
  follow_up: followUpCauseSchema
    .nullable()
    .default(null)
    .describe(
      'Why a follow-up exists; null for other issues, for follow-ups of earlier releases, in lists and in `issue.created`.',
    ),
  codehost_number: z.int().nullable(),
  codehost_url: z.string().nullable(),
  change_request_state: z.enum(changeRequestStates).nullable().default(null),
  base_branch: z.string(),
  plan: planSchema.nullable(),
  gate: gateWire.nullable(),
  result: issueResultSchema.nullable(),
  error: issueErrorSchema.nullable(),
  usage: usageSchema,
  triage: triageWire
    .nullable()
    .default(null)
    .describe('What the triager found; null before that, in lists and in `issue.created`.'),
  commands: commandsWire
    .nullable()
    .default(null)
    .describe('The commands of the repository that are used; null before `prepare`, in lists and in `issue.created`.'),
  budget: budgetLeftSchema
    .nullable()
    .default(null)
    .describe('The limits in force, and what is left of them; null in lists and in `issue.created`.'),
  queue_position: z.int().nullable(),
  waits_for_repo: z
    .boolean()
    .default(false)
    .describe('It waits, `pending`, for another issue on the same repository to end. Then it is queued.'),
  queue_reason: z
    .enum(['slot', 'repo', 'budget'])
    .nullable()
    .default(null)
    .describe(
      'What it waits for, `pending`: a free slot, its repository, or a monthly budget (`held_by_budget`). Null: for nothing of these.',
    ),
  held_by_budget: z
    .enum(budgetKinds)
    .nullable()
    .default(null)
    .describe(
      'Whose monthly budget is used up, so that the issue waits: that of the person who created it, of the repository, or of the installation. It goes on by itself in the next month, or when the budget is raised.',
    ),
  created_at: instant,
  updated_at: instant,
  queued_at: instant.nullable(),
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
  form: z
    .literal('full')
    .default('full')
    .describe('`full`: the issue has its texts. An item of a list with `fields=summary` has none, and says `summary`.'),
});
export type IssueWire = z.infer<typeof issueWire>;

/** An issue by itself: with what is not read, or not known, for lists and for the event of its creation. */
export function toFullIssueWire(
  issue: Issue,
  {
    limits,
    activeMs,
    gate = null,
  }: { readonly limits: Budget; readonly activeMs: number; readonly gate?: IssueWire['gate'] },
): IssueWire {
  const { pipeline, usage } = issue;
  return {
    ...toIssueWire(issue),
    gate,
    follow_up: pipeline.follow_up,
    triage: pipeline.triage === null ? null : toTriageWire(pipeline.triage),
    commands: commandsOf(pipeline),
    budget: budgetLeft({ usage, activeMs }, pipeline.budget.limit ?? limits),
  };
}

/** The open gate for a user, with the policy that counts now. */
export function toGateWire(
  gate: Gate,
  {
    policy,
    standing,
    estimate,
  }: { readonly policy: ApprovalPolicy; readonly standing: ApprovalStanding; readonly estimate: Estimate | null },
): GateWire {
  const { approvals, requesterApproves } = policy;
  return {
    ...gate,
    approvals_needed: approvals,
    requester_approves: requesterApproves,
    your_approval: standing,
    estimate: estimate && toEstimateWire(estimate),
  };
}

/** The part of a triage that goes to clients. */
export function toTriageWire({ kind, risk, open_questions }: Triage): z.infer<typeof triageWire> {
  return { kind, risk, open_questions };
}

function commandsOf({ prepared }: PipelineState): IssueWire['commands'] {
  if (prepared === null) return null;
  const { setup_command: setup, test_command: test } = prepared;
  return {
    setup: setup === null ? null : { command: setup, source: prepared.setup_source },
    test: test === null ? null : { command: test, source: prepared.test_source },
  };
}

export function toIssueWire(issue: ListedIssue): IssueWire {
  return {
    id: issue.id,
    repo_id: issue.repoId,
    title: issue.title,
    body: issue.body,
    status: issue.status,
    stage: issue.stage,
    origin: issue.origin,
    labels: [...issue.labels],
    created_by: issue.userId,
    parent_issue_id: issue.parentIssueId,
    follow_up: null,
    codehost_number: issue.codehostNumber,
    codehost_url: issue.codehostUrl,
    change_request_state: issue.changeRequest?.state ?? null,
    base_branch: issue.baseBranch,
    plan: issue.plan,
    gate: issue.gate === null ? null : { ...issue.gate, your_approval: null, estimate: null },
    result: issue.result,
    error: issue.error,
    usage: issue.usage,
    triage: null,
    commands: null,
    budget: null,
    queue_position: issue.queuePosition,
    waits_for_repo: issue.waitsForRepo,
    queue_reason: queueReasonOf(issue),
    held_by_budget: issue.heldByBudget,
    created_at: instantText(issue.createdAt),
    updated_at: instantText(issue.updatedAt),
    queued_at: issue.queuedAt && instantText(issue.queuedAt),
    started_at: issue.startedAt && instantText(issue.startedAt),
    finished_at: issue.finishedAt && instantText(issue.finishedAt),
    form: 'full',
  };
}

function queueReasonOf({ heldByBudget, waitsForRepo, queuePosition }: ListedIssue): IssueWire['queue_reason'] {
  if (heldByBudget !== null) return 'budget';
  if (waitsForRepo) return 'repo';
  return queuePosition === null ? null : 'slot';
}
