import type { IssueId } from '../id/id.ts';

/** Passes runnable issues to a worker: in process, or by a queue that several processes share. */
export interface JobDriver {
  /** Starts to call `handle` for runnable issues, at least once for each and for at most `concurrency` at a time. */
  start(options: { concurrency: number; handle: (issueId: IssueId) => Promise<void> }): Promise<void>;
  /** Starts no more handlers; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/** Receives the issues that a committed transaction has made runnable. The store calls it. */
export interface JobSink {
  runnable(issueIds: readonly IssueId[]): void;
}
