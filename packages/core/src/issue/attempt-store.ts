import type { IssueId } from '../id/id.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { Usage } from '../pipeline/usage.ts';
import type { NewEvent } from './event-catalog.ts';
import type { Lease } from './lease-store.ts';

/** How a stage run ended, written with the change that it led to. */
export interface AttemptOutcome {
  readonly stage: Stage;
  readonly round: number;
  readonly attempt: number;
  readonly outcome: 'completed' | 'failed';
  readonly usage: Usage;
  readonly detail: string | null;
}

/** A stage run that is to begin. */
export interface NewAttempt {
  readonly stage: Stage;
  readonly round: number;
  readonly agent: string;
}

export interface Attempt {
  readonly stage: Stage;
  /** How often the pipeline has come to this stage, from 1. */
  readonly round: number;
  /** How often this round was tried, from 1. */
  readonly attempt: number;
  readonly startedAt: Date;
}

/** How a stage run stands: under way, ended by its stage, or cut off (its worker died, or the issue was changed under it). */
export const attemptStates = ['running', 'completed', 'failed', 'interrupted'] as const;

/** A stage run as it is shown. */
export interface AttemptRecord extends Attempt {
  readonly agent: string;
  /** Null while it runs. */
  readonly finishedAt: Date | null;
  readonly outcome: (typeof attemptStates)[number];
  /** Null unless the stage came to an end of its own. */
  readonly usage: Usage | null;
  readonly detail: string | null;
}

/** The attempts at an issue's stages. Writes return false (or null) when the lease is lost: nothing was written. */
export interface AttemptStore {
  /** Opens a stage run (the next attempt of the round) with its `stage.started` event. */
  beginAttempt(lease: Lease, step: NewAttempt): Promise<Attempt | null>;
  /** Closes a stage run that will be tried again, with its event; the issue stays as it is. */
  failAttempt(lease: Lease, step: AttemptOutcome, event: NewEvent): Promise<boolean>;
  /** Every stage run of the issue, in the order in which they began. */
  steps(issueId: IssueId): Promise<readonly AttemptRecord[]>;
  /** Appends events that change nothing else. */
  record(lease: Lease, events: readonly NewEvent[]): Promise<boolean>;
}
