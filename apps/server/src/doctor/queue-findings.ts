import { type Finding, warning } from './finding.ts';

/**
 * Whether jobs wait in the queue that no worker takes.
 *
 * @param untaken jobs that have been due for more than 30 s; null if unknown or there is no queue
 */
export function queueFindings(untaken: number | null): Finding[] {
  if (untaken === null || untaken === 0) return [];
  const jobs = untaken === 1 ? '1 job has been' : `${untaken} jobs have been`;
  const detail = `${jobs} due for more than 30 s and no worker takes ${untaken === 1 ? 'it' : 'them'}`;
  const fix =
    'start a process with ROLE=worker or ROLE=all; where one runs, it may be full (start another one) or not ready (its log says why; restart it)';
  return [warning('job queue', detail, fix)];
}
