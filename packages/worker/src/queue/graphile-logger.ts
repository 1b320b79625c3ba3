import { Logger } from 'graphile-worker';
import type { Log } from '../execution/log.ts';

/** The queue's own words in our log; what it says of each job is no news to us. */
export function graphileLogger(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.warn({ queue: true }, message);
  });
}
