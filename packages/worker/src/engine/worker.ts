import type { IssueId } from '@sluice/core';
import type { WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';
import { createCloneRetention } from '../maintenance/clone-retention.ts';
import { createDatabaseRetention } from '../maintenance/database-retention.ts';
import { sweep } from '../maintenance/maintenance.ts';
import { createWorkspaceRetention } from '../maintenance/workspace-retention.ts';
import { type CodeHostSync, createCodeHostSync } from '../sync/code-host-sync.ts';
import { executeIssue } from './execute-issue.ts';

/** Drives issues from `running` to where a person, or nobody, is needed. */
export interface Worker extends AsyncDisposable {
  /** Starts to take issues and to sweep, the first time at once. */
  start(): Promise<void>;
  /**
   * Drains: takes nothing new, and lets go of each issue at its next boundary: before its agent's next turn, or when
   * its stage ends. What has come to none within `graceMs` is aborted. Leases are let go of without a failure, so that
   * a successor goes on at once. Resolves when nothing runs any more.
   */
  stop(options: { graceMs: number }): Promise<void>;
}

/** Makes a worker. Nothing happens before `start`. */
export function createWorker(deps: WorkerDeps, options: WorkerOptions): Worker {
  const keeper = createWorkspaceRetention(deps, options);
  const clones = createCloneRetention(deps);
  const house = createDatabaseRetention(deps, options);
  const draining = new AbortController();
  const now = new AbortController();
  const codehost = watchOf(deps, options);
  const shutdown = { draining: draining.signal, now: now.signal };
  let started = false;
  let stopWatching: () => void = () => undefined;
  let sweepTimer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | null = null;

  async function handle(issueId: IssueId): Promise<void> {
    await keeper.enter(issueId);
    try {
      await executeIssue({ deps, options }, issueId, shutdown);
    } catch (error) {
      // The store itself failed. The lease runs out, and a sweep brings the issue again.
      deps.log.error({ err: error, issueId }, 'an issue could not be driven');
    }
    await keeper.leave(issueId).catch((error: unknown) => {
      deps.log.warn({ err: error, issueId }, 'whether a working tree is needed could not be read');
    });
  }

  function maintainAndRepeat(): void {
    sweeping = sweep(deps, { trees: keeper, clones, house }).finally(() => {
      if (!draining.signal.aborted) sweepTimer = setTimeout(maintainAndRepeat, options.maintenanceMs);
    });
  }

  async function drain(graceMs: number): Promise<void> {
    draining.abort();
    clearTimeout(sweepTimer);
    stopWatching();
    const graceTimer = setTimeout(() => now.abort(), graceMs);
    try {
      await Promise.all([started ? deps.driver.stop() : undefined, sweeping, codehost?.stop()]);
    } finally {
      clearTimeout(graceTimer);
    }
  }

  const worker: Worker = {
    async start() {
      if (started) return;
      started = true;
      stopWatching = keeper.watch();
      await deps.driver.start({ concurrency: options.concurrency, handle });
      maintainAndRepeat();
      codehost?.start();
    },
    stop({ graceMs }) {
      stopped ??= drain(graceMs);
      return stopped;
    },
    async [Symbol.asyncDispose]() {
      await worker.stop({ graceMs: 0 });
    },
  };
  return worker;
}

/** Null where no code host is configured. */
function watchOf(deps: WorkerDeps, { owner, codehostPollMs }: WorkerOptions): CodeHostSync | null {
  const { codehost: host, codehostTokens: tokens } = deps;
  if (host === null || tokens === null) return null;
  return createCodeHostSync({ deps, host, tokens }, { owner, pollMs: codehostPollMs });
}
