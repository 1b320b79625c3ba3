import { settleAfterAbort } from '@sluice/core/async';
import { AppError, toAppError } from '@sluice/core/error';
import { type Stage, stages, type WorkerStage } from '@sluice/core/pipeline';
import type { Workspace } from '@sluice/core/workspace';
import { ExecutionEnded, type IssueExecution } from '../execution/issue-execution.ts';
import type { WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';
import { openBudgetGuard } from '../stage/budget-guard.ts';
import type { LiveChannel } from '../stage/live-channel.ts';
import { openMonthlyBudgets } from '../stage/monthly-budgets.ts';
import type { StageContext } from '../stage/stage-context.ts';
import type { StageEnd } from '../stage/stage-end.ts';
import { endIfUnneeded } from '../stages/end-if-unneeded.ts';
import { implement } from '../stages/implement/implement.ts';
import { indexCode } from '../stages/index-code.ts';
import { plan } from '../stages/plan/plan.ts';
import { prepare } from '../stages/prepare.ts';
import { publish } from '../stages/publish/publish.ts';
import { review } from '../stages/review.ts';
import { runTests } from '../stages/run-tests.ts';
import { triage } from '../stages/triage.ts';
import { adoptTree } from '../workspace/adopt-tree.ts';
import { retryAfterRelocation } from '../workspace/follow-repo.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import type { TreeHold } from '../workspace/tree-hold.ts';
import type { HeldLease } from './hold-lease.ts';
import { nextAttempt, writeStageEnd } from './write-stage-end.ts';
import { writeGaveUp, writeStageFailure } from './write-stage-failure.ts';

/** How long a stage may take to end after its signal is aborted. A process tree is dead well before that. */
const SETTLE_MS = 10_000;

/**
 * How old the store's last word may be before a request to a model. A second after a renewal it asks nothing, so that a quick
 * model does not cost a write for each answer.
 */
const MODEL_CALL_MAX_AGE_MS = 1_000;

/** The context that all stages of one execution share. */
export interface ExecutionContext {
  readonly deps: WorkerDeps;
  readonly options: WorkerOptions;
  readonly execution: IssueExecution;
  readonly lease: HeldLease;
  readonly live: LiveChannel;
  readonly tree: TreeHold;
  readonly draining: AbortSignal;
  /** The working tree that an earlier stage opened. */
  workspace: Workspace | null;
}

/**
 * Runs one stage to its end and writes the result.
 *
 * @returns the milliseconds until the stage is retried; null when the pipeline has moved on
 * @throws ExecutionEnded when the execution is over; then nothing of the stage's end was written
 */
export async function runStage(context: ExecutionContext, name: WorkerStage): Promise<number | null> {
  const { deps, options, execution } = context;
  const { timers } = deps;
  const began = timers.now();
  const duration = () => Math.round(timers.now() - began);
  const timeout = new AbortController();
  const cancel = timers.after(options.stageTimeoutMs, () => timeout.abort(timedOut(name, options.stageTimeoutMs)));
  try {
    const stage = await openStage(context, name, timeout.signal);
    const { id: issueId } = execution.issue();
    const { attempt } = stage.attempt;
    return await deps.telemetry.duringStage({ issueId, stage: name, attempt, waitedMs: waitedFor(stage) }, () =>
      finishStage(stage, name, duration),
    );
  } finally {
    cancel();
    context.live.flush();
  }
}

async function finishStage(stage: StageContext, name: WorkerStage, duration: () => number): Promise<number | null> {
  const ended = (outcome: 'completed' | 'failed') =>
    stage.deps.telemetry.stageEnded({ stage: name, outcome, durationMs: duration() });
  try {
    const end = await work(stage, name);
    if (end.trigger === 'gave_up') {
      logFailure(stage, name, { error: end.error, thrown: end.error });
      await writeGaveUp(stage, end, duration());
      ended('failed');
      return null;
    }
    await writeStageEnd(stage, end, duration());
    ended('completed');
    if (end.retrieval != null) stage.deps.telemetry.retrievalJudged(end.retrieval);
    return null;
  } catch (thrown) {
    if (stage.monthly.signal.aborted) await hold(stage);
    const error = failureOf(stage, thrown);
    logFailure(stage, name, { error, thrown });
    const retryInMs = await writeStageFailure(stage, error, duration());
    ended('failed');
    return retryInMs;
  } finally {
    stage.budget.close();
  }
}

/** Writes why a stage failed, whether it was thrown or found. The code of the error is nowhere else. */
function logFailure(
  { deps: { log }, execution, attempt }: StageContext,
  stage: WorkerStage,
  { error, thrown }: { readonly error: AppError; readonly thrown: unknown },
): void {
  const fields = { issueId: execution.lease.issueId, stage, attempt: attempt.attempt, code: error.code };
  if (error.kind === 'bug') log.error({ ...fields, err: thrown }, 'a stage failed unexpectedly');
  else log.warn({ ...fields, detail: error.message }, 'a stage failed');
}

/**
 * Takes the issue out of its slot until there is budget again. Its journal and its checkpoint have everything up to the call that
 * did not begin, so the next attempt repeats none of it.
 *
 * @throws ExecutionEnded
 */
async function hold({ execution }: StageContext): Promise<never> {
  await execution.apply({ trigger: 'budget_exhausted', events: [] });
  execution.end('held');
  throw execution.signal.reason;
}

/** The time that the issue was queued, reported with its very first attempt; null otherwise. */
function waitedFor({ execution, attempt }: StageContext): number | null {
  const { queuedAt, startedAt } = execution.issue();
  const isFirst = attempt.stage === stages[0] && attempt.round === 1 && attempt.attempt === 1;
  return isFirst && queuedAt !== null && startedAt !== null ? startedAt.getTime() - queuedAt.getTime() : null;
}

async function work(stage: StageContext, name: WorkerStage): Promise<StageEnd> {
  stage.signal.throwIfAborted();
  await stage.budget.warn();
  const working = (async () => (await endIfUnneeded(stage)) ?? (await stageHandlers[name](stage)))();
  return settleAfterAbort(working, stage.signal, { graceMs: SETTLE_MS, timers: stage.deps.timers });
}

async function openStage(context: ExecutionContext, name: WorkerStage, timeout: AbortSignal): Promise<StageContext> {
  const { deps, options, execution, lease, live, draining } = context;
  const issue = execution.issue();
  const attempt = execution.takeBegun() ?? (await deps.runs.beginAttempt(execution.lease, nextAttempt(name, issue)));
  if (attempt === null) execution.end('lease_lost');
  execution.signal.throwIfAborted();
  const repo = await deps.repos.get(issue.repoId);
  if (attempt === null || repo === null) throw new ExecutionEnded('not_runnable'); // the issue was deleted with its repository
  const budget = await openBudgetGuard(context);
  const monthly = openMonthlyBudgets(deps, issue);
  const signal = AbortSignal.any([execution.signal, timeout, budget.signal, monthly.signal]);
  const stage: StageContext = {
    deps,
    options,
    execution,
    repo,
    attempt: { ...attempt, stage: name },
    journaled: null,
    signal,
    draining,
    budget,
    monthly,
    live,
    async confirmLease(maxAgeMs = 0) {
      signal.throwIfAborted();
      await lease.confirm(maxAgeMs);
      signal.throwIfAborted();
    },
    async beforeModelCall() {
      await monthly.confirm();
      await stage.confirmLease(MODEL_CALL_MAX_AGE_MS);
    },
    async workspace() {
      if (context.workspace !== null) return context.workspace;
      await context.tree.take(signal);
      await stage.confirmLease(); // a successor may have had the tree meanwhile
      const workspace = await retryAfterRelocation(stage, (repo) => openWorkspace(deps, repo, { execution, signal }));
      await adoptTree(stage, workspace);
      context.workspace = workspace;
      return workspace;
    },
  };
  return stage;
}

/** The failure behind a thrown value: aborted work may throw anything, and the reason of the abort is what counts. */
function failureOf(stage: StageContext, thrown: unknown): AppError {
  stage.execution.signal.throwIfAborted();
  if (thrown instanceof ExecutionEnded) throw thrown;
  return toAppError(stage.signal.aborted ? stage.signal.reason : thrown);
}

function timedOut(stage: Stage, afterMs: number): AppError {
  return new AppError('stage_timeout', {
    detail: `The stage \`${stage}\` took longer than ${renderMs(afterMs)} (STAGE_TIMEOUT) and was stopped.`,
  });
}

function renderMs(ms: number): string {
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}

/** Every stage has a handler, or this does not compile. */
const stageHandlers: Readonly<Record<WorkerStage, (stage: StageContext) => Promise<StageEnd>>> = {
  prepare,
  index: indexCode,
  triage,
  plan,
  implement,
  test: runTests,
  review,
  publish,
};
