import type { SandboxProbe } from '../workspace/sandbox.ts';

/** A worker says this often that it is there: a write that costs nothing even on an idle embedded database. */
export const WORKER_REFRESH_MS = 20_000;
/** Long enough for a slow maintenance run between two refreshes. */
export const WORKER_GONE_MS = 90_000;

/** A process that runs issues, as it describes itself to the other processes. */
export interface WorkerProcess {
  /** The owner of its leases. */
  readonly id: string;
  readonly hostName: string;
  readonly pid: number;
  readonly role: 'worker' | 'all';
  readonly version: string;
  /** How many issues it runs at the same time. */
  readonly concurrency: number;
  /** Null until it was tried. */
  readonly sandbox: WorkerSandbox | null;
}

export type WorkerSandbox = Pick<SandboxProbe, 'kind' | 'usable' | 'problem' | 'gaps'>;

/** A worker as the others see it. All times are the database's. */
export interface SeenWorker extends WorkerProcess {
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** Whether it was not seen for `WORKER_GONE_MS`: it was killed, or cannot reach the database. */
  readonly isGone: boolean;
}

/**
 * The workers that share a database. The rows are volatile: each worker writes its own again and again, and
 * `MaintenanceStore.clearExpired` deletes those of workers that died.
 */
export interface WorkerStore {
  /** Says that the worker is there. */
  put(worker: WorkerProcess): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes every worker: for a process that is alone on its database. */
  clear(): Promise<void>;
  /** The workers that were seen last, in the order of their start; those that are gone among them. */
  list(): Promise<readonly SeenWorker[]>;
}
