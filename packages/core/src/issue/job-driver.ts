import type { IssueId } from '../id/id.ts';

/** Brings runnable issues to a worker: in process, or by a queue that several processes share. */
export interface JobDriver {
  /** Starts to call `handle` for issues that should be driven, each at least once, at most `concurrency` at a time. */
  start(options: { concurrency: number; handle: (issueId: IssueId) => Promise<void> }): Promise<void>;
  /** Takes no more; resolves when the running handlers have ended. */
  stop(): Promise<void>;
}

/** Told after a commit that issues have become runnable. The store's half of a driver. */
export interface JobSink {
  runnable(issueIds: readonly IssueId[]): void;
}
