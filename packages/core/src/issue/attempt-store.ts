import type { IssueId } from '../id/id.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { Usage } from '../pipeline/usage.ts';
import type { NewEvent } from './event-catalog.ts';
import type { Lease } from './lease.ts';

/** How an attempt ended, written with the change that it led to. */
export interface AttemptOutcome {
  readonly stage: Stage;
  readonly round: number;
  readonly attempt: number;
  readonly outcome: 'completed' | 'failed';
  readonly usage: Usage;
  readonly detail: string | null;
}

/** An attempt to begin. */
export interface NewAttempt {
  readonly stage: Stage;
  readonly round: number;
  readonly agent: string;
}

export interface Attempt {
  readonly stage: Stage;
  /** How often the pipeline has reached this stage, from 1. */
  readonly round: number;
  /** The attempts in this round, from 1. */
  readonly attempt: number;
  readonly startedAt: Date;
}

/** `interrupted`: the worker died, or the issue was changed meanwhile. */
export const attemptStates = ['running', 'completed', 'failed', 'interrupted'] as const;

/** An attempt with its outcome. */
export interface AttemptRecord extends Attempt {
  readonly agent: string;
  /** Null while it is running. */
  readonly finishedAt: Date | null;
  readonly outcome: (typeof attemptStates)[number];
  /** Null while it is running and when it was interrupted. */
  readonly usage: Usage | null;
  readonly detail: string | null;
}

/** The attempts at an issue's stages. Writes return false (or null) when the lease is lost: nothing was written. */
export interface AttemptStore {
  /** Begins the next attempt of the round, with its `stage.started` event. */
  beginAttempt(lease: Lease, attempt: NewAttempt): Promise<Attempt | null>;
  /** Ends an attempt that will be retried, with its event. The issue does not change. */
  failAttempt(lease: Lease, ended: AttemptOutcome, event: NewEvent): Promise<boolean>;
  /** Every attempt of the issue, in chronological order. */
  attempts(issueId: IssueId): Promise<readonly AttemptRecord[]>;
  /**
   * Appends events without another change.
   *
   * @returns the number of the last one; null when the lease is lost: nothing was written
   */
  record(lease: Lease, events: readonly NewEvent[]): Promise<number | null>;
}
