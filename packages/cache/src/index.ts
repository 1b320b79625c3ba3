export { createMemoryLimiter } from './memory-limiter.ts';
export { createProcessSignals, type ProcessSignals } from './process-signals.ts';
