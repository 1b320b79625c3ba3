import { AppError } from '@sluice/core/error';
import { toTriageWire } from '@sluice/core/issue';
import {
  type Gate,
  listed,
  NOTHING_TO_DO,
  type Plan,
  type PlanDraft,
  type PlanPaths,
  planHash,
  plannedFiles,
  plannerFindings,
  planPaths,
  proposedCommands,
  type RemarkAnswer,
  type Triage,
  withIgnored,
} from '@sluice/core/pipeline';
import { storableJson, visiblePath } from '@sluice/core/text';
import { type AgentPorts, runAgent } from '../../agent/run-agent.ts';
import type { StageContext } from '../../stage/stage-context.ts';
import { gaveUp, openingOf, type StageEnd } from '../../stage/stage-end.ts';
import { renderAbsent } from '../absent-content.ts';
import { environmentOf } from '../environment/render-environment.ts';
import { renderProposals } from '../proposed-commands.ts';
import { setupChoice } from '../setup-choice.ts';
import { answerQuestion } from './answer-question.ts';
import { type BasePorts, followBase } from './follow-base.ts';
import { baseReasons, overlapReasons } from './gate-reasons.ts';
import { ownGateReasons, requestedWithPlan } from './own-gate.ts';
import { planMerge } from './plan-merge.ts';

type Ports = 'clock' | 'commands' | 'sandbox' | 'issues' | 'codehostIndex' | 'publicUrl' | AgentPorts | BasePorts;

/** Makes the next revision of the plan and asks for a decision on it. */
export async function plan(stage: StageContext<Ports>): Promise<StageEnd> {
  const { execution, repo } = stage;
  await followBase(stage);
  const issue = execution.issue();
  const { triage: triaged, planning, prepared } = issue.pipeline;
  const { guidance, base_moved } = planning;
  const cause = issue.pipeline.follow_up;
  if (cause?.kind === 'base') {
    const merging = await planMerge(stage, cause, await stage.workspace());
    return 'trigger' in merging
      ? merging
      : gateFor(stage, { draft: merging, madeBy: [], retrieved: null, triage: null });
  }
  const { output, madeBy, retrieved } = await runAgent(stage, 'planner', {
    input: {
      issue,
      repo,
      triage: triaged,
      lastPlan: issue.plan,
      guidance,
      baseMoved: base_moved,
      environment: environmentOf(prepared),
    },
  });
  const { remarks: remarkAnswers = [], ...planned } = output;
  const { draft, answer, triage } = plannerFindings(planned, triaged);
  const drafted = { draft, madeBy, retrieved, triage, remarkAnswers };
  if (answer !== null) return answerQuestion(stage, withoutChange(drafted, answer));
  return await gateFor(stage, drafted);
}

interface Drafted {
  readonly draft: PlanDraft;
  /** The models that made it; none for a plan of the service. */
  readonly madeBy: readonly string[];
  readonly retrieved: readonly string[] | null;
  readonly triage: Triage | null;
  /** The answers to the remarks that a follow-up is about; absent where there are none. */
  readonly remarkAnswers?: readonly RemarkAnswer[];
}

/** The end of an issue that is answered, not changed. */
function withoutChange({ draft, triage, madeBy, remarkAnswers = [] }: Drafted, answer: string) {
  return { answer, summary: draft.summary, triage, remarkAnswers, madeBy: madeBy.join(', ') };
}

/** Stores a plan as the next revision, with what its approver should know. */
async function gateFor(stage: StageContext<Ports>, drafted: Drafted): Promise<StageEnd> {
  const { draft, madeBy, retrieved, triage, remarkAnswers = [] } = drafted;
  const { execution, repo } = stage;
  const issue = execution.issue();
  const { planning, prepared, warnings } = issue.pipeline;
  const { guidance } = planning;
  const isByService = madeBy.length === 0;
  const workspace = await stage.workspace();
  const { files } = workspace;
  const blocker = isByService ? null : await stage.deps.agents.planBlocker(draft, { files });
  // A plan without steps by the built-in model means that it cannot plan, which the gate says.
  if (draft.steps.length === 0 && blocker === null) {
    // Each remark has its answer, which is all that was asked for.
    if (remarkAnswers.length > 0) return answerQuestion(stage, withoutChange(drafted, draft.summary));
    return gaveUp(new AppError('nothing_to_do', { detail: `${NOTHING_TO_DO}${draft.summary}` }));
  }
  const proposed = isByService ? draft : await withProposals(stage, draft);
  const revision = (issue.plan?.revision ?? 0) + 1;
  const made = asStored({
    ...proposed,
    risks: risksOf(stage, proposed),
    revision,
    guidance,
    created_at: stage.deps.clock.now().toISOString(),
  });
  const paths = planPaths(made, await files.list());
  const gate: Gate = {
    kind: 'plan',
    revision,
    plan_hash: planHash(made),
    base_commit: prepared?.base_commit ?? null,
    head_commit: null,
    ...(await openingOf(stage, 'plan')),
    reasons: [
      ...(blocker === null ? [] : [blocker]),
      ...(await ownGateReasons(stage, made, blocker)),
      ...(await overlapReasons(stage, made)),
      ...renderAbsent(await workspace.absent(stage.signal)),
      ...lfsReasons(await workspace.files.storedInLfs(plannedFiles(made))),
      ...baseReasons(stage, { plan: made, madeBy: isByService ? ['service'] : madeBy }),
      ...renderProposals(made, repo.settings),
      ...warnings,
      ...(isByService ? [] : pathReasons(withIgnored(paths, await files.ignored(paths.created)))),
      'No code is written before a person has approved the plan.', // true of every plan, so it stands last
    ],
    blocker,
  };
  return {
    trigger: 'plan_completed',
    next: 'human_review',
    pipeline: { planning: { guidance, base_moved: null, retrieved }, triage },
    detail: isByService ? 'made by the service' : madeBy.join(', '),
    plan: made,
    gate,
    events: [
      { type: 'plan.created', data: { plan: made, ...(triage !== null && { triage: toTriageWire(triage) }) } },
      ...requestedWithPlan(issue, revision),
    ],
  };
}

/** Approving such a plan may end in a refusal: what the plan wants there is not known yet. */
function lfsReasons(stored: readonly string[]): string[] {
  if (stored.length === 0) return [];
  const named = listed(stored.map((path) => `\`${visiblePath(path)}\``));
  return [
    `Files of the plan that Git LFS stores: ${named}. Only pointers can be committed there; other content is refused.`,
  ];
}

const NAMED_FILES = 20; // the plan has them all

/** What an approver should know about the plan's files: which are new, and which may be misspelled. */
function pathReasons({ problems, created }: PlanPaths): string[] {
  const named = created.slice(0, NAMED_FILES).map((path) => `\`${path}\``);
  const more = created.length - named.length;
  return [
    ...problems.map((problem) => `Files of the plan: ${problem}`),
    ...(created.length === 0 ? [] : [`New files: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`]),
  ];
}

/** The plan's text as every store keeps it (without NUL and lone surrogates), so that its hash is that of the stored one. */
function asStored(plan: Plan): Plan {
  return storableJson(plan) as Plan;
}

function hasNoTests({ execution }: StageContext<Ports>): boolean {
  return execution.issue().pipeline.prepared?.test_command == null;
}

/**
 * A proposal counts where no command is known. An owner who set an empty one wants none, and where the tests pass at the base
 * nothing has to be installed.
 */
async function withProposals(stage: StageContext<Ports>, draft: PlanDraft): Promise<PlanDraft> {
  const { setup_command, test_command, ...rest } = draft;
  const proposed = proposedCommands(draft);
  const isWanted = {
    setup: proposed.setup_command !== undefined && (await needsSetup(stage)),
    test: hasNoTests(stage) && stage.repo.testCommand === null,
  };
  return {
    ...rest,
    ...(isWanted.setup && { setup_command: proposed.setup_command }),
    ...(isWanted.test && proposed.test_command !== undefined && { test_command: proposed.test_command }),
  };
}

async function needsSetup(stage: StageContext<Ports>): Promise<boolean> {
  const { execution, repo, deps } = stage;
  if (repo.setupCommand !== null || execution.issue().pipeline.prepared?.base_test?.exit_code === 0) return false;
  const { run, skipped } = setupChoice(repo, await deps.commands.detect(await stage.workspace()));
  return run === null && skipped === null;
}

/** The planner's risks, and those that only the service knows: approvers must see them. */
function risksOf(stage: StageContext<Ports>, draft: PlanDraft): string[] {
  const risks = [...draft.risks];
  if (stage.deps.sandbox.kind === 'none') {
    risks.push('Commands of this repository run without a sandbox on this host (SANDBOX=none).');
  }
  if (hasNoTests(stage) && draft.test_command === undefined) {
    risks.push('No test command is known for this repository: the change will not be tested. Set `test_command`.');
  }
  return risks;
}
