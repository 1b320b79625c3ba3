import type { IssueId } from '@sluice/core/id';
import type { WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';
import { createAuditSealing } from '../maintenance/audit-sealing.ts';
import { createCloneRetention } from '../maintenance/clone-retention.ts';
import { createDatabaseRetention } from '../maintenance/database-retention.ts';
import { runMaintenance } from '../maintenance/maintenance.ts';
import { createPresence } from '../maintenance/presence.ts';
import { createWorkspaceRetention } from '../maintenance/workspace-retention.ts';
import { createDeliverer } from '../notify/deliverer.ts';
import { type CodeHostSync, createCodeHostSync } from '../sync/code-host-sync.ts';
import { executeIssue } from './execute-issue.ts';

/** Runs pipelines from `running` until they end or wait for a person. */
export interface Worker extends AsyncDisposable {
  /** Starts to take issues and to run maintenance, the first time at once. */
  start(): Promise<void>;
  /**
   * Drains: takes no new issue, and releases each one at its next boundary: before its agent's next turn, or when its stage
   * ends. Work that reaches none within `graceMs` is aborted. Leases are released without a failure, so another worker can
   * continue at once. Resolves when nothing runs any more.
   */
  stop(options: { graceMs: number }): Promise<void>;
}

/** Makes a worker that does nothing before `start`. */
export function createWorker(deps: WorkerDeps, options: WorkerOptions): Worker {
  const trees = createWorkspaceRetention(deps, options);
  const clones = createCloneRetention(deps);
  const database = createDatabaseRetention(deps, options);
  const presence = createPresence(deps, options);
  const audit = createAuditSealing(deps);
  const draining = new AbortController();
  const now = new AbortController();
  const codeHostSync = syncOf(deps, options);
  const deliverer = deps.notifying === null ? null : createDeliverer(deps, deps.notifying, options);
  const shutdown = { draining: draining.signal, now: now.signal };
  let started = false;
  let stopWatching: () => void = () => undefined;
  let cancelMaintenance: () => void = () => undefined;
  let maintaining: Promise<void> = Promise.resolve();
  let stopped: Promise<void> | null = null;

  async function handle(issueId: IssueId): Promise<void> {
    await trees.enter(issueId);
    try {
      await executeIssue({ deps, options }, issueId, shutdown);
    } catch (error) {
      // The store itself failed. The lease expires, and the lease sweep finds the issue.
      deps.log.error({ err: error, issueId }, 'could not execute an issue');
    }
    await trees.leave(issueId).catch((error: unknown) => {
      deps.log.warn({ err: error, issueId }, 'could not read whether a working tree is still needed');
    });
  }

  function maintain(): void {
    maintaining = runMaintenance(deps, { presence, audit, trees, clones, database }).finally(() => {
      if (!draining.signal.aborted) cancelMaintenance = deps.timers.after(options.maintenanceMs, maintain);
    });
  }

  async function drain(graceMs: number): Promise<void> {
    draining.abort();
    cancelMaintenance();
    stopWatching();
    const cancelGrace = deps.timers.after(graceMs, () => now.abort());
    try {
      await Promise.all([
        started ? deps.driver.stop() : undefined,
        maintaining,
        codeHostSync?.stop(),
        deliverer?.stop(),
      ]);
    } finally {
      cancelGrace();
    }
    if (!started) return;
    await presence.leave().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'could not remove this worker from the list of workers');
    });
  }

  const worker: Worker = {
    async start() {
      if (started) return;
      started = true;
      stopWatching = trees.watch();
      await deps.driver.start({ concurrency: options.concurrency, handle });
      maintain();
      codeHostSync?.start();
      deliverer?.start();
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
function syncOf(deps: WorkerDeps, options: WorkerOptions): CodeHostSync | null {
  const { codehost: host, codehostTokens: tokens } = deps;
  const { owner, codehostPollMs, buildRounds, followUpRounds } = options;
  if (host === null || tokens === null) return null;
  return createCodeHostSync({ deps, host, tokens, buildRounds, followUpRounds }, { owner, pollMs: codehostPollMs });
}
