export { createEmbeddedDriver } from './embedded-driver.ts';
export { createGraphileDriver, type GraphileDriver } from './graphile/graphile-driver.ts';
export type { Log } from './log.ts';
export { createWorker, type Worker } from './worker.ts';
export { DEFAULT_BOUNDS, type WorkerDeps, type WorkerOptions } from './worker-deps.ts';
