export type { Clock } from './clock.ts';
export { createKeyedMutex, type KeyedMutex } from './keyed-mutex.ts';
export { type Backoff, backoffMs, type RetryOptions, retry } from './retry.ts';
export { createSemaphore, type Semaphore } from './semaphore.ts';
export { createSingleFlight, type SingleFlight } from './single-flight.ts';
export { sleep } from './sleep.ts';
export { LONGEST_TIMER_MS, systemTimers, type Timers, timersOver } from './timers.ts';
export { untilAborted } from './until-aborted.ts';
export { type Deadline, settleAfterAbort, withDeadline } from './with-deadline.ts';
