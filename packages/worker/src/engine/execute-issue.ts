import type { IssueId } from '@sluice/core/id';
import { type Issue, type IssueStore, isRunnable, type NewAttempt, type Signals } from '@sluice/core/issue';
import type { Stage } from '@sluice/core/pipeline';
import { ExecutionEnded, type IssueExecution, openIssueExecution } from '../execution/issue-execution.ts';
import type { Log, WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';
import { openLiveChannel } from '../stage/live-channel.ts';
import { openTreeHold } from '../workspace/tree-hold.ts';
import { holdLease } from './hold-lease.ts';
import { openReview } from './open-review.ts';
import { type ExecutionContext, runStage } from './run-stage.ts';
import { nextAttempt } from './write-stage-end.ts';

const FIRST_STAGE: Stage = 'prepare';

/** After the store failed during an execution. An immediate retry would loop, and the store has hardly recovered. */
const AFTER_TROUBLE_MS = 5_000;

const RELEASE_AGAIN_MS = 1_000;

/** How a shutdown of the worker reaches its executions. */
export interface Shutdown {
  /** Aborted when no new work may start: an execution ends after its current stage, or before its agent's next turn. */
  readonly draining: AbortSignal;
  /** Aborted when running work must stop. */
  readonly now: AbortSignal;
}

/**
 * Claims an issue under a lease and runs its stages until it is no longer runnable. Does nothing when another worker has
 * the issue or it is not runnable, so a duplicate job costs one read.
 *
 * Anything that ends the execution from outside (a lost lease, a cancel, a shutdown) leaves no trace in the issue's log,
 * because the stage did not fail. The lease is always released, so another worker can continue at once.
 */
export async function executeIssue(
  context: { deps: WorkerDeps; options: WorkerOptions },
  issueId: IssueId,
  shutdown: Shutdown,
): Promise<void> {
  const { deps, options } = context;
  if (shutdown.draining.aborted) return;
  const claimedAt = deps.timers.now();
  const claimed = await deps.runs.claim(issueId, { owner: options.owner, ttlMs: options.leaseMs, toBegin });
  if (claimed === null) return;
  const execution = openIssueExecution(deps.issues, claimed);
  const lease = holdLease(deps, execution, { ms: options.leaseMs, claimedAt });
  const stopWatching = watchForEnd(deps, execution);
  const onShutdown = () => execution.end('shutting_down');
  shutdown.now.addEventListener('abort', onShutdown, { once: true });
  const live = openLiveChannel(deps, issueId);
  const tree = openTreeHold(deps.workspaces, issueId);
  let retryInMs: number | null = null;
  try {
    retryInMs = await executeStages({
      ...context,
      execution,
      lease,
      tree,
      live,
      draining: shutdown.draining,
      workspace: null,
    });
  } catch (error) {
    if (!(error instanceof ExecutionEnded)) {
      retryInMs = AFTER_TROUBLE_MS;
      throw error;
    }
    deps.log.info({ issueId, reason: error.reason }, 'an execution ended before its pipeline');
  } finally {
    shutdown.now.removeEventListener('abort', onShutdown);
    stopWatching();
    lease.close();
    execution.end('over'); // a stage that outlives its abort cannot write into the next execution
    await tree.release(); // before the lease: the next worker would have to wait for it
    await releaseLease(context, execution, { retryInMs, draining: shutdown.draining });
  }
}

/** Between the claim and its first attempt nothing has to be known, so both are one write. */
function toBegin(issue: Issue): NewAttempt | null {
  const stage = stageOf(issue);
  return stage === 'human_review' ? null : nextAttempt(stage, issue);
}

function stageOf({ stage }: Issue): Stage {
  return stage ?? FIRST_STAGE;
}

/** @returns the milliseconds until the issue may be claimed again; null: at once */
async function executeStages(context: ExecutionContext): Promise<number | null> {
  const { deps, execution, draining } = context;
  while (isRunnable(execution.issue().status) && !draining.aborted) {
    execution.signal.throwIfAborted();
    const stage = stageOf(execution.issue());
    if (stage === 'human_review') {
      await openReview(deps, execution);
      continue;
    }
    const retryInMs = await runStage(context, stage);
    if (retryInMs !== null) return retryInMs;
  }
  return null;
}

/** After an outage of the store the issue need not wait until its lease expires, so the release is repeated for as long. */
async function releaseLease(
  { deps, options }: { deps: WorkerDeps; options: WorkerOptions },
  { lease }: IssueExecution,
  { retryInMs, draining }: { readonly retryInMs: number | null; readonly draining: AbortSignal },
): Promise<void> {
  const expiresAt = deps.timers.now() + options.leaseMs;
  for (;;) {
    try {
      await (retryInMs === null ? deps.runs.release(lease) : deps.runs.release(lease, retryInMs));
      return;
    } catch (error) {
      if (draining.aborted || deps.timers.now() + RELEASE_AGAIN_MS > expiresAt) {
        deps.log.warn({ err: error, issueId: lease.issueId }, 'could not release a lease; it expires by itself');
        return;
      }
    }
    await deps.timers.sleep(RELEASE_AGAIN_MS, draining).catch(() => undefined);
  }
}

/**
 * Ends an execution as soon as its issue is no longer runnable, so that a cancel takes effect within milliseconds and not at
 * the next renewal. A signal is only a hint: the row is read each time, once for all hints that arrived meanwhile. Hints about
 * the execution's own writes are ignored.
 *
 * @returns a function that stops watching
 */
function watchForEnd(deps: { issues: IssueStore; signals: Signals; log: Log }, execution: IssueExecution): () => void {
  const { issueId, epoch } = execution.lease;
  let reading = false;
  let hinted = false;

  async function read(): Promise<void> {
    reading = true;
    try {
      do {
        hinted = false;
        const issue = await deps.issues.get(issueId);
        if (issue === null || !isRunnable(issue.status)) execution.end('not_runnable');
      } while (hinted && !execution.signal.aborted);
    } catch (error) {
      // The lease's renewal finds out a little later, and every write is fenced.
      deps.log.warn({ err: error, issueId }, 'could not read an issue after a signal');
    } finally {
      reading = false;
    }
  }

  function check(): void {
    hinted = true;
    if (!reading) void read();
  }

  const unsubscribe = deps.signals.subscribe(issueId, {
    onEvents: (hint) => {
      if (hint.epoch !== epoch) check();
    },
  });
  check(); // it may have ended between the claim and the subscription
  return unsubscribe;
}
