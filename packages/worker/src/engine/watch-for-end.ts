import { type IssueStore, isRunnable, type Signals } from '@sluice/core';
import type { IssueExecution } from '../execution/issue-execution.ts';
import type { Log } from '../execution/worker-deps.ts';

/**
 * Ends a run as soon as its issue is not to be driven any more, so that a cancel takes effect in milliseconds and
 * not at the next renewal. A signal is only a hint: the row is read each time, once for all hints that came meanwhile.
 * What the drive itself has written ends nothing that it does not know of.
 *
 * @returns the way to stop
 */
export function watchForEnd(
  deps: { issues: IssueStore; signals: Signals; log: Log },
  execution: IssueExecution,
): () => void {
  const { issueId, epoch } = execution.lease;
  let reading = false;
  let hinted = false;

  async function read(): Promise<void> {
    reading = true;
    try {
      do {
        hinted = false;
        const issue = await deps.issues.get(issueId);
        if (issue === null || !isRunnable(issue.status)) execution.end('not_runnable');
      } while (hinted && !execution.signal.aborted);
    } catch (error) {
      // The lease's renewal says the same a little later, and every write is fenced.
      deps.log.warn({ err: error, issueId }, 'an issue could not be read again');
    } finally {
      reading = false;
    }
  }

  function look(): void {
    hinted = true;
    if (!reading) void read();
  }

  const unsubscribe = deps.signals.subscribe(issueId, {
    onEvents: (hint) => {
      if (hint.epoch !== epoch) look();
    },
  });
  look(); // it may have ended between the claim and the subscription
  return unsubscribe;
}
