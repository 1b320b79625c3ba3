export type { Clock } from './clock.ts';
export { createKeyedMutex } from './keyed-mutex.ts';
export { backoffMs, retry } from './retry.ts';
export { createSemaphore } from './semaphore.ts';
export { createSingleFlight } from './single-flight.ts';
export { sleep } from './sleep.ts';
export { MAX_TIMER_MS, systemTimers, type Timers, timersOver } from './timers.ts';
export { untilAborted } from './until-aborted.ts';
export { settleAfterAbort, withDeadline } from './with-deadline.ts';
