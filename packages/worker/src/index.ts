export { createWorker, type Worker } from './engine/worker.ts';
export { DEFAULT_BOUNDS, type Log, type WorkerDeps, type WorkerOptions } from './execution/worker-deps.ts';
export { createEmbeddedDriver } from './queue/embedded-driver.ts';
export { createGraphileDriver, type GraphileDriver } from './queue/graphile-driver.ts';
export { countUntakenJobs } from './queue/untaken-jobs.ts';
export { syncSubject } from './sync/sync-subject.ts';
