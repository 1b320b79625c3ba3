import { type IssueStore, isRunnable, type Signals } from '@sluice/core/issue';
import type { IssueExecution } from '../execution/issue-execution.ts';
import type { Log } from '../execution/worker-deps.ts';

/**
 * Ends an execution as soon as its issue is no longer runnable, so that a cancel takes effect within milliseconds and not at
 * the next renewal. A signal is only a hint: the row is read each time, once for all hints that arrived meanwhile. Hints about
 * the execution's own writes are ignored.
 *
 * @returns a function that stops watching
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
      // The lease's renewal finds out a little later, and every write is fenced.
      deps.log.warn({ err: error, issueId }, 'could not read an issue after a signal');
    } finally {
      reading = false;
    }
  }

  function check(): void {
    hinted = true;
    if (!reading) void read();
  }

  const unsubscribe = deps.signals.subscribe(issueId, {
    onEvents: (hint) => {
      if (hint.epoch !== epoch) check();
    },
  });
  check(); // it may have ended between the claim and the subscription
  return unsubscribe;
}
