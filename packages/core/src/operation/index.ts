export type { MaintenanceStore, WalkPosition } from './maintenance-store.ts';
export type { HealthCheck, Telemetry } from './telemetry.ts';
export {
  type SeenWorker,
  WORKER_GONE_MS,
  WORKER_REFRESH_MS,
  type WorkerProcess,
  type WorkerSandbox,
  type WorkerStore,
} from './worker-store.ts';
