import { type IssueId, isRunnable, type Stage } from '@sluice/core';
import { ExecutionEnded, type IssueExecution, openIssueExecution } from '../execution/issue-execution.ts';
import type { WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';
import { openLiveChannel } from '../stage/live-channel.ts';
import { renewLease } from './renew-lease.ts';
import { type ExecutionContext, runStage } from './run-stage.ts';
import { watchForEnd } from './watch-for-end.ts';

const FIRST_STAGE: Stage = 'prepare';
/** After a store that failed in the middle of a drive: at once would be a loop, and it can hardly be well again. */
const AFTER_TROUBLE_MS = 5_000;

/** How the worker's own end reaches its drives. */
export interface Shutdown {
  /** Aborted when nothing new is to be begun: a drive ends after the stage that it is in, or before its agent's next turn. */
  readonly draining: AbortSignal;
  /** Aborted when what runs is to stop. */
  readonly now: AbortSignal;
}

/**
 * Takes an issue under a lease and drives it stage after stage, until it is no longer to be driven. Does nothing
 * when the issue is somebody else's or not runnable: being told of an issue once too often costs one read.
 *
 * Whatever ends the drive from outside (a lost lease, a cancel, a shutdown) leaves no trace in the issue's log: the
 * stage did not fail. The lease is let go in any case, so that a successor goes on at once.
 */
export async function executeIssue(
  context: { deps: WorkerDeps; options: WorkerOptions },
  issueId: IssueId,
  shutdown: Shutdown,
): Promise<void> {
  const { deps, options } = context;
  if (shutdown.draining.aborted) return;
  const claimed = await deps.runs.claim(issueId, options.owner, options.leaseMs);
  if (claimed === null) return;
  const execution = openIssueExecution(deps.issues, claimed);
  const stopRenewing = renewLease(deps, execution, options.leaseMs);
  const stopWatching = watchForEnd(deps, execution);
  const onShutdown = () => execution.end('shutting_down');
  shutdown.now.addEventListener('abort', onShutdown, { once: true });
  const live = openLiveChannel(deps, issueId);
  let retryInMs: number | null = null;
  try {
    retryInMs = await executeStages({ ...context, execution, live, draining: shutdown.draining, workspace: null });
  } catch (error) {
    if (!(error instanceof ExecutionEnded)) {
      retryInMs = AFTER_TROUBLE_MS;
      throw error;
    }
    deps.log.info({ issueId, reason: error.reason }, 'a drive ended before its pipeline');
  } finally {
    shutdown.now.removeEventListener('abort', onShutdown);
    stopWatching();
    stopRenewing();
    execution.end('over'); // a stage that outlived its abort writes nothing into what comes next
    await releaseLease(deps, execution, retryInMs);
  }
}

/** @returns after how many milliseconds the issue is to be driven again, null for at once */
async function executeStages(drive: ExecutionContext): Promise<number | null> {
  const { execution, draining } = drive;
  while (isRunnable(execution.issue().status) && !draining.aborted) {
    execution.signal.throwIfAborted();
    const stage = execution.issue().stage ?? FIRST_STAGE;
    if (stage === 'human_review') {
      await openReview(execution);
      continue;
    }
    const retryInMs = await runStage(drive, stage);
    if (retryInMs !== null) return retryInMs;
  }
  return null;
}

async function releaseLease(deps: WorkerDeps, { lease }: IssueExecution, retryInMs: number | null): Promise<void> {
  try {
    await (retryInMs === null ? deps.runs.release(lease) : deps.runs.release(lease, retryInMs));
  } catch (error) {
    // It runs out by itself.
    deps.log.warn({ err: error, issueId: lease.issueId }, 'a lease could not be released');
  }
}

/**
 * The second of the two writes that open the review: the plan is stored, now a person may decide it. A worker that
 * dies between the two leaves the issue in `human_review`, and the next one that claims it does only this.
 */
export async function openReview(execution: IssueExecution): Promise<void> {
  await execution.apply({ trigger: 'review_opened', events: [] });
}
