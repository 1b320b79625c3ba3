import { type JobDriver, QUEUE_SILENT_MS } from '@sluice/core/issue';
import { WORKER_REFRESH_MS, type WorkerSandbox } from '@sluice/core/operation';
import type { SandboxProbe } from '@sluice/core/workspace';
import type { WorkerDeps, WorkerOptions } from '../execution/worker-deps.ts';

/** Tells the other processes that this worker is there. */
export interface Presence {
  /**
   * Writes its row when it is due: at the first run, from time to time, and when the sandbox has been tried. Not while its queue
   * is silent: a worker that is brought no issues is not there, for the others and for their operator.
   */
  run(): Promise<void>;
  /** Removes the row. A row that stays is shown as gone. */
  leave(): Promise<void>;
}

export function createPresence(
  {
    workers,
    clock,
    triedSandbox,
    driver,
  }: Pick<WorkerDeps, 'workers' | 'clock' | 'triedSandbox'> & { readonly driver: Pick<JobDriver, 'silentMs'> },
  { owner, concurrency, host }: Pick<WorkerOptions, 'owner' | 'concurrency' | 'host'>,
): Presence {
  let written: { readonly at: number; readonly probe: SandboxProbe | null } | null = null;
  return {
    async run() {
      if (driver.silentMs() >= QUEUE_SILENT_MS) return;
      const at = clock.now().getTime();
      const probe = triedSandbox();
      if (written !== null && probe === written.probe && at - written.at < WORKER_REFRESH_MS) return;
      await workers.put({ id: owner, concurrency, ...host, sandbox: probe === null ? null : toWorkerSandbox(probe) });
      written = { at, probe };
    },
    async leave() {
      await workers.remove(owner);
    },
  };
}

/** Without the folders of the machine. */
function toWorkerSandbox({ kind, usable, problem, gaps }: SandboxProbe): WorkerSandbox {
  return { kind, usable, problem, gaps };
}
