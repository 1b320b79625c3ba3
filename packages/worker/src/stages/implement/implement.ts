import type { AgentResult } from '@sluice/core/agent';
import { AppError, type ErrorCode } from '@sluice/core/error';
import type { Issue } from '@sluice/core/issue';
import {
  BUILTIN_LABEL,
  endedBefore,
  listed,
  nextImplementRound,
  type Plan,
  planHash,
  type TestRun,
} from '@sluice/core/pipeline';
import { neutralPlain, visiblePath } from '@sluice/core/text';
import type { Workspace } from '@sluice/core/workspace';
import { type AgentPorts, runAgent } from '../../agent/run-agent.ts';
import { runTestCommand, type TestPorts } from '../../command/run-test-command.ts';
import type { StageContext } from '../../stage/stage-context.ts';
import { advance, gaveUp, type StageEnd } from '../../stage/stage-end.ts';
import { type CommittedChange, implementationCheckpoint } from '../../workspace/implementation-commit.ts';
import { unsettledFiles } from '../../workspace/merge-places.ts';
import { openDiffSaver, saveInterimDiff } from '../../workspace/save-diff.ts';
import { currentPlan } from '../current-plan.ts';
import { environmentOf } from '../environment/render-environment.ts';
import { outsidePlan, renderOutsidePlan } from '../outside-plan.ts';
import { adoptProposedCommands } from '../proposed-commands.ts';
import { type BaseTestPorts, testPreparedBase } from '../test-base.ts';

type Ports = AgentPorts | BaseTestPorts;

/** Lets the coder implement the plan, and commits the change. */
export async function implement(stage: StageContext<Ports>): Promise<StageEnd> {
  const { execution } = stage;
  const plan = approvedPlan(execution.issue());
  const workspace = await stage.workspace();
  await beginRound(stage, workspace, plan);
  if (workspace.merge !== null && (await workspace.merge.outcome(stage.signal)).conflicts.length === 0) {
    return await commitCleanMerge(stage, workspace, plan);
  }
  const { output, madeBy } = await runCoder(stage, workspace, plan);
  if (output.outcome === 'blocked') {
    await saveInterimDiff(stage, workspace);
    return gaveUp(new AppError('agent_blocked', { detail: blockedBecause(output.summary, madeBy) }));
  }
  const unsettled = await unsettledFiles(workspace, stage.signal);
  if (unsettled.length > 0) {
    await saveInterimDiff(stage, workspace);
    return gaveUp(new AppError('merge_unresolved', { detail: unsettledBecause(unsettled) }));
  }
  const change = await commitChange(stage, workspace, plan);
  if (change instanceof AppError) return await sendBackRefused(stage, workspace, { error: change, madeBy });
  if (change === null) return gaveUp(new AppError('nothing_changed', { detail: unchangedBecause(output.summary) }));
  const { implementation: before, rounds } = execution.issue().pipeline;
  const outside = outsidePlan({
    plan,
    changed: change.files.map(({ path }) => path),
    reasons: [...output.outsidePlan, ...(before?.outside_plan ?? [])],
  });
  const note = renderOutsidePlan(outside);
  return advance('implement', {
    pipeline: {
      rounds: { ...rounds, implement: stage.attempt.round },
      implementation: {
        summary: output.summary,
        head_commit: change.head_commit,
        outside_plan: outside,
        ran: output.ran ?? null,
        made_by: [...new Set([...(before?.made_by ?? []), ...madeBy])],
        prompt_revision: stage.deps.agents.promptRevision(),
        tests: null,
        review: null,
        findings: [],
      },
      remark_answers: output.remarks ?? [],
      feedback: null,
    },
    notes: note === null ? [] : [note],
    detail: madeBy.join(', '),
  });
}

/** Nobody has anything to do: the commit is what git made, also where an attempt left something else in the tree. */
async function commitCleanMerge(stage: StageContext<Ports>, workspace: Workspace, plan: Plan): Promise<StageEnd> {
  const { execution, signal } = stage;
  await workspace.reset(signal);
  const change = await commitChange(stage, workspace, plan);
  if (change instanceof AppError) return gaveUp(change);
  if (change === null)
    return gaveUp(new AppError('nothing_changed', { detail: 'The branch contains the base already.' }));
  return advance('implement', {
    pipeline: {
      rounds: { ...execution.issue().pipeline.rounds, implement: stage.attempt.round },
      implementation: {
        summary: `${plan.summary} There were no conflicts.`,
        head_commit: change.head_commit,
        outside_plan: [],
        ran: null,
        made_by: [],
        tests: null,
        review: null,
        findings: [],
      },
      feedback: null,
    },
    detail: 'merged without conflicts',
  });
}

async function runCoder(stage: StageContext<Ports>, workspace: Workspace, plan: Plan): Promise<AgentResult<'coder'>> {
  const { execution, repo, attempt } = stage;
  const issue = execution.issue();
  const { feedback, prepared } = issue.pipeline;
  const saver = openDiffSaver(stage, workspace);
  try {
    return await runAgent(stage, 'coder', {
      input: {
        issue,
        repo,
        plan,
        round: attempt.round,
        feedback,
        environment: environmentOf(prepared),
        testCommand: prepared?.test_command ?? null,
      },
      onToolResult: () => saver.touch(),
    }).finally(() => saver.close());
  } catch (error) {
    await saveInterimDiff(stage, workspace);
    throw await testWhatIsLeft(stage, workspace, error);
  }
}

/**
 * The reason for a blocked issue. A model's words are marked as its own. The sentences of the built-in model stand for
 * themselves, and programs know them.
 */
function blockedBecause(summary: string, madeBy: readonly string[]): string {
  const isBuiltin = madeBy.every((label) => label === BUILTIN_LABEL);
  return isBuiltin ? summary : `The coder could not carry out the plan: ${summary}`;
}

/** No test sees them in a text, and no person has to: an approval of the first issue may cover the merge. */
function unsettledBecause(paths: readonly string[]): string {
  return `The coder left the lines of a conflict in ${listed(paths.map(visiblePath))}: retry, or merge by hand and push the branch.`;
}

/** With the coder's own words, which may say why nothing has to change. */
function unchangedBecause(summary: string): string {
  return `The implementation changed no file. The coder: ${summary}`;
}

/**
 * Commits the change and saves it so that any host can continue from it; null when nothing was changed, and an error when it
 * has content that must not be committed.
 */
async function commitChange(
  stage: StageContext<Ports>,
  workspace: Workspace,
  plan: Plan,
): Promise<CommittedChange | AppError | null> {
  const { deps, execution, signal } = stage;
  const made = await workspace
    .commit({ message: commitMessage(execution.issue(), plan), signal })
    .catch((error: unknown) => {
      if (isContentRefused(error)) return error;
      throw error;
    });
  if (made === null || made instanceof AppError) return made;
  const change = { ...(await workspace.diff(signal)), head_commit: made.commit };
  await execution.write((lease) => deps.runs.saveCheckpoint(lease, 'implementation', made));
  await execution.write((lease) => deps.runs.saveDiff(lease, change));
  return change;
}

/**
 * Gets a round ready that has done nothing yet: takes over the commands of the plan, tests the base, and brings the tree to the
 * commit of the last round, or to the base. A round that has begun goes on in its tree, which those commands would clear. So does
 * a retry in what the failed round left: where a coder had worked in it, both were done before.
 */
async function beginRound(stage: StageContext<Ports>, workspace: Workspace, plan: Plan): Promise<void> {
  const { deps, execution, attempt, signal } = stage;
  const begun = await deps.runs.journal(execution.issue().id, { stage: attempt.stage, round: attempt.round });
  if (begun.length > 0) return;
  await adoptProposedCommands(stage, workspace, plan);
  await testPreparedBase(stage, workspace);
  const ended = endedBefore(execution.issue().pipeline, attempt);
  if (ended !== null && ended.keeps !== 'nothing') return;
  const last = await implementationCheckpoint(stage);
  if (last === null) await workspace.reset(signal);
  else await workspace.restore(last, signal);
}

/**
 * The commit message: title, summary of the plan, and a trailer with the issue's id; always the same for one issue. Control
 * characters are removed, because `git log` passes them to the reader's terminal. At a code host the text mentions no user,
 * closes no issue and links to none.
 */
export function commitMessage(issue: Issue, plan: Plan): string {
  const title = issue.title.replace(/\s+/g, ' ');
  const parts = [title, plan.summary].map((text) => neutralPlain(text.replaceAll(/[^\P{Cc}\n\t]/gu, '').trim()));
  return [...parts, `Sluice-Issue: ${issue.id}`].filter((part) => part !== '').join('\n\n');
}

/** Whether an error says that the change has content that must not be committed. */
function isContentRefused(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'lfs_content_refused';
}

/**
 * The end of a round whose change was refused before the commit. As after failing tests, the coder corrects it in a new round,
 * as often as tests may send it back; there is no commit, so the round goes on in the tree and the conversation as they are.
 *
 * @param madeBy the models that worked in the round: the built-in one would only do the same again
 */
async function sendBackRefused(
  stage: StageContext<'runs' | 'timers' | 'log'>,
  workspace: Workspace,
  { error, madeBy }: { readonly error: AppError; readonly madeBy: readonly string[] },
): Promise<StageEnd> {
  await saveInterimDiff(stage, workspace);
  const { rounds } = stage.execution.issue().pipeline;
  const sentBack = rounds.test_send_backs;
  const bound = madeBy.some((label) => label !== BUILTIN_LABEL) ? stage.options.bounds.testSendBacks : 0;
  if (sentBack >= bound) return gaveUp(error);
  return {
    trigger: 'stage_advanced',
    next: 'implement',
    detail: `content where Git LFS stores files: sent back to the coder (${sentBack + 1} of ${bound})`,
    notes: [error.message],
    pipeline: {
      rounds: { ...rounds, test_send_backs: sentBack + 1, implement: nextImplementRound(rounds) },
      ended: { stage: 'implement', round: stage.attempt.round, reason: error.message, keeps: 'conversation' },
    },
  };
}

/** The limits that stop a coder in the middle of its work while commands may still run. They cost no tokens. */
const limits: ReadonlySet<ErrorCode> = new Set(['budget_exhausted', 'agent_turns_exceeded', 'agent_stuck']);

const MAX_NAMED = 5;

/** The share of the time left that the test run at the base may take: with the change, tests may take longer. */
const MAX_SHARE = 1 / 2;

/**
 * Tests what a coder left in the tree when a limit stopped it, and restores the tree to what it left. Without this a person
 * cannot tell whether the patch is of use.
 *
 * @returns the failure, with the result in its text; the same one where there is nothing to test
 */
async function testWhatIsLeft(
  stage: StageContext<TestPorts>,
  workspace: Workspace,
  failure: unknown,
): Promise<unknown> {
  const { execution, signal, budget } = stage;
  const { prepared } = execution.issue().pipeline;
  const command = prepared?.test_command ?? null;
  if (!(failure instanceof AppError) || !limits.has(failure.code) || command === null || signal.aborted) return failure;
  // A run that the time ends would take the place of the failure, and leave in the tree what it wrote.
  if ((prepared?.base_test?.duration_ms ?? 0) > budget.timeLeftMs() * MAX_SHARE) return failure;
  const left = await workspace.checkpoint(signal);
  if (left === null || left.patch.length === 0) return failure;
  const { run } = await runTestCommand(stage, workspace, { command, of: 'head' });
  await workspace.restore(left, signal);
  const result = renderResult(run, prepared?.base_test?.failing ?? []);
  return new AppError(failure.code, { ...failure.details, detail: `${failure.message} ${result}` }, { cause: failure });
}

function renderResult({ command, exit_code, ended_by, failing }: TestRun, before: readonly string[]): string {
  if (exit_code === 0) return `What it left was tested: \`${command}\` passes.`;
  const fresh = failing.filter((name) => !before.includes(name));
  const named = fresh.slice(0, MAX_NAMED).join(', ');
  const more = fresh.length > MAX_NAMED ? ` and ${fresh.length - MAX_NAMED} more` : '';
  const how = ended_by === null ? `exit code ${exit_code ?? 'unknown'}` : `the limit on ${ended_by} ended it`;
  return `What it left was tested: \`${command}\` fails (${how})${named === '' ? '' : `, with ${named}${more}`}.`;
}

/**
 * The plan, if it is the approved one, on the base that the approval was for. Approvals from before this was recorded hold
 * for the current plan.
 *
 * @throws AppError `plan_revision_stale`
 */
function approvedPlan(issue: Issue): Plan {
  const plan = currentPlan(issue);
  const { approved, prepared } = issue.pipeline;
  const isSamePlan = (approved?.plan_hash ?? null) === null || approved?.plan_hash === planHash(plan);
  const isSameBase = (approved?.base_commit ?? null) === null || approved?.base_commit === prepared?.base_commit;
  if (isSamePlan && isSameBase) return plan;
  throw new AppError('plan_revision_stale', {
    detail: `The ${isSamePlan ? 'base is not the one' : 'plan is not the one'} that was approved, so it is not implemented.`,
  });
}
