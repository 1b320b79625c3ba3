import { AppError, type Stage, stages, toAppError, type WorkedStage, type Workspace } from '@sluice/core';
import { DriveEnded } from '../execution/execution-ended.ts';
import type { IssueRun } from '../execution/issue-execution.ts';
import type { WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';
import { openBudgetGuard } from '../stage/budget-guard.ts';
import type { LiveChannel } from '../stage/live-channel.ts';
import type { StageRun } from '../stage/stage-context.ts';
import type { StageEnd } from '../stage/stage-end.ts';
import { adoptTree } from '../workspace/adopt-tree.ts';
import { whereverItIs } from '../workspace/follow-repo.ts';
import { openWorkspace } from '../workspace/open-workspace.ts';
import { nextStep } from './next-step.ts';
import { settleWithin } from './settle-within.ts';
import { stageHandlers } from './stage-handlers.ts';
import { writeStageEnd } from './write-stage-end.ts';
import { writeGaveUp, writeStageFailure } from './write-stage-failure.ts';

/** How long a stage may take to end once its signal is aborted: a process tree is dead well before that. */
const SETTLE_MS = 10_000;

/** What all stages of one drive work with. */
export interface Drive {
  readonly deps: WorkerDeps;
  readonly options: WorkerOptions;
  readonly run: IssueRun;
  readonly live: LiveChannel;
  readonly draining: AbortSignal;
  /** The working tree that an earlier stage of this drive opened. */
  workspace: Workspace | null;
}

/**
 * Runs one stage to its end and writes what came of it.
 *
 * @returns after how many milliseconds the stage is to be tried again; null when the pipeline has moved
 * @throws DriveEnded when the drive is over; then nothing was written of the stage's end
 */
export async function runStage(drive: Drive, name: WorkedStage): Promise<number | null> {
  const { deps, options, run } = drive;
  const began = performance.now();
  const duration = () => Math.round(performance.now() - began);
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(timedOut(name, options.stageTimeoutMs)), options.stageTimeoutMs);
  try {
    const stage = await openStage(drive, name, timeout.signal);
    const { id: issueId } = run.issue();
    const { attempt } = stage.step;
    return await deps.telemetry.duringStage({ issueId, stage: name, attempt, waitedMs: waitedFor(stage) }, () =>
      workToItsEnd(stage, name, duration),
    );
  } finally {
    clearTimeout(timer);
    drive.live.flush();
  }
}

async function workToItsEnd(stage: StageRun, name: WorkedStage, duration: () => number): Promise<number | null> {
  const ended = (outcome: 'completed' | 'failed') =>
    stage.deps.telemetry.stageEnded({ stage: name, outcome, durationMs: duration() });
  try {
    const end = await work(stage, name);
    if (end.trigger === 'gave_up') {
      await writeGaveUp(stage, end, duration());
      ended('failed');
      return null;
    }
    await writeStageEnd(stage, end, duration());
    ended('completed');
    if (end.retrieval != null) stage.deps.telemetry.retrievalJudged(end.retrieval);
    return null;
  } catch (thrown) {
    const error = failureOf(stage, thrown);
    const fields = { issueId: stage.run.lease.issueId, stage: name, attempt: stage.step.attempt, code: error.code };
    if (error.kind === 'bug') stage.deps.log.error({ ...fields, err: thrown }, 'a stage failed in an unexpected way');
    else stage.deps.log.warn({ ...fields, detail: error.message }, 'a stage failed');
    const retryInMs = await writeStageFailure(stage, error, duration());
    ended('failed');
    return retryInMs;
  } finally {
    stage.budget.close();
  }
}

/** How long the issue was queued, at the very first thing that is done for it. */
function waitedFor({ run, step }: StageRun): number | null {
  const { queuedAt, startedAt } = run.issue();
  const isFirst = step.stage === stages[0] && step.round === 1 && step.attempt === 1;
  return isFirst && queuedAt !== null && startedAt !== null ? startedAt.getTime() - queuedAt.getTime() : null;
}

async function work(stage: StageRun, name: WorkedStage): Promise<StageEnd> {
  stage.signal.throwIfAborted();
  await stage.budget.warn();
  return settleWithin(stageHandlers[name](stage), stage.signal, SETTLE_MS);
}

async function openStage(drive: Drive, name: WorkedStage, timeout: AbortSignal): Promise<StageRun> {
  const { deps, options, run, live, draining } = drive;
  const issue = run.issue();
  const step = run.takeBegun() ?? (await deps.runs.beginStep(run.lease, nextStep(name, issue)));
  if (step === null) run.end('lease_lost');
  run.signal.throwIfAborted();
  const repo = await deps.repos.get(issue.repoId);
  if (step === null || repo === null) throw new DriveEnded('not_runnable'); // with its repository, the issue is gone too
  const budget = await openBudgetGuard(drive);
  const signal = AbortSignal.any([run.signal, timeout, budget.signal]);
  const stage: StageRun = {
    deps,
    options,
    run,
    repo,
    step: { ...step, stage: name },
    journaled: null,
    signal,
    draining,
    budget,
    live,
    async workspace() {
      if (drive.workspace !== null) return drive.workspace;
      const workspace = await whereverItIs(stage, (repo) => openWorkspace(deps, repo, { run, signal }));
      await adoptTree(stage, workspace);
      drive.workspace = workspace;
      return workspace;
    },
  };
  return stage;
}

/** The failure behind what was thrown: whoever is aborted may throw anything, and what counts is why. */
function failureOf(stage: StageRun, thrown: unknown): AppError {
  stage.run.signal.throwIfAborted();
  if (thrown instanceof DriveEnded) throw thrown;
  return toAppError(stage.signal.aborted ? stage.signal.reason : thrown);
}

function timedOut(stage: Stage, afterMs: number): AppError {
  return new AppError('stage_timeout', {
    detail: `The stage \`${stage}\` took longer than ${inWords(afterMs)} (STAGE_TIMEOUT) and was stopped.`,
  });
}

function inWords(ms: number): string {
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
