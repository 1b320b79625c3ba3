import type { IssueId } from '../id/id.ts';
import type { NewEvent } from '../issue/event-catalog.ts';
import type { Issue } from '../issue/issue.ts';
import type { Usage } from '../issue/issue-result.ts';
import type { Stage } from '../pipeline/stages.ts';
import type { Checkpoint, WorkspaceDiff } from '../workspace/workspace.ts';

/**
 * The right to drive one issue, for a while. Every claim raises the epoch; whatever is written under an older
 * epoch is refused, whatever its holder still believes.
 */
export interface Lease {
  readonly issueId: IssueId;
  readonly owner: string;
  readonly epoch: number;
}

/** How a stage run ended, written with the change that it led to. */
export interface StepOutcome {
  readonly stage: Stage;
  readonly round: number;
  readonly attempt: number;
  readonly outcome: 'completed' | 'failed';
  readonly usage: Usage;
  readonly detail: string | null;
}

/** A stage run that is to begin. */
export interface NewStep {
  readonly stage: Stage;
  readonly round: number;
  readonly agent: string;
}

export interface Step {
  readonly stage: Stage;
  /** How often the pipeline has come to this stage, from 1. */
  readonly round: number;
  /** How often this round was tried, from 1. */
  readonly attempt: number;
  readonly startedAt: Date;
}

/** How a stage run stands: under way, ended by its stage, or cut off (its worker died, or the issue was changed under it). */
export const stepStates = ['running', 'completed', 'failed', 'interrupted'] as const;

/** A stage run as it is shown. */
export interface StepRecord extends Step {
  readonly agent: string;
  /** Null while it runs. */
  readonly finishedAt: Date | null;
  readonly outcome: (typeof stepStates)[number];
  /** Null unless the stage came to an end of its own. */
  readonly usage: Usage | null;
  readonly detail: string | null;
}

/**
 * The reading of a test run's output, in the journal of the `test` stage's round; the base's is round 0. A begin without an
 * end: the process died while it read. `given_up`: it took too much time or memory. `interrupted`: the service was told to
 * stop, or the issue was.
 */
export type ReadingEntry =
  | { readonly kind: 'reading_begun' }
  | { readonly kind: 'reading_ended'; readonly outcome: 'read' | 'given_up' | 'interrupted' };

/** One line of a round's journal: what must not happen twice. */
export type JournalEntry =
  | ReadingEntry
  | { readonly kind: 'message'; readonly message: unknown }
  /** An effect may happen from now on. */
  | { readonly kind: 'begin'; readonly callId: string }
  | {
      readonly kind: 'result';
      readonly callId: string;
      readonly message: unknown;
    }
  /** What one answer of a model took; `model` is its name as configured. Added to the issue's usage in the same write. */
  | { readonly kind: 'usage'; readonly usage: Usage; readonly model: string }
  /** Places that the agent was shown before it began: what retrieval is judged by. */
  | { readonly kind: 'retrieved'; readonly paths: readonly string[] }
  /** A person's note, by the number of its event; from now on it counts as read. */
  | { readonly kind: 'note'; readonly seq: number; readonly message: unknown }
  /** The results of the first `results` tool calls are shortened from now on, so that the model's window holds the rest. */
  | { readonly kind: 'trim'; readonly results: number }
  /** The tree as it stands is kept in this commit; null where it could not be kept. */
  | { readonly kind: 'checkpoint'; readonly commit: string | null }
  /** The tree was lost and put back to the last checkpoint: no call of the last answer has been carried out. */
  | { readonly kind: 'rewind' }
  | { readonly kind: 'done'; readonly output: unknown };

/** What a person wrote to the working agent. */
export interface Note {
  /** The number of its `user.message` event. */
  readonly seq: number;
  readonly text: string;
}

/** Whose tree a checkpoint keeps: the last finished round's commit, or the round that is under way. */
export const checkpointKinds = ['implementation', 'work'] as const;
export type CheckpointKind = (typeof checkpointKinds)[number];

/** What goes into a journal in one write. */
export interface JournalWrite {
  readonly entries: readonly JournalEntry[];
  readonly events: readonly NewEvent[];
  readonly checkpoint?: Checkpoint | undefined;
}

/** Names one journal: the work in one round of a stage. Attempts of the round share it. */
export interface JournalKey {
  readonly stage: Stage;
  readonly round: number;
}

/** A piece of a command's output. */
export interface LogChunk {
  readonly command: string;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

export interface LogLine extends LogChunk {
  readonly seq: number;
  readonly at: Date;
}

/** What a worker reads and writes while it drives issues. Writes return false when the lease is lost: nothing was written. */
export interface RunStore {
  /** Takes the issue if it is runnable, due and not under a live lease; null otherwise. */
  claim(issueId: IssueId, owner: string, ttlMs: number): Promise<{ lease: Lease; issue: Issue } | null>;
  renew(lease: Lease, ttlMs: number): Promise<boolean>;
  /** Lets go, so that anybody may claim it, not before `retryInMs` have passed. */
  release(lease: Lease, retryInMs?: number): Promise<boolean>;
  /** Issues that somebody should claim now: runnable, due, without a live lease. */
  claimable(limit: number): Promise<readonly IssueId[]>;
  /** Milliseconds until the next released issue becomes due, or null. */
  nextDueInMs(): Promise<number | null>;
  /**
   * Ends every lease, and every pause before a next try: only for the single process that holds the database alone and
   * has just started. What it ended was measured by a clock that may have been set back since.
   *
   * @returns of how many issues
   */
  expireLeases(): Promise<number>;
  /** Issues whose gate nobody answered in time. */
  expiredGates(now: Date): Promise<readonly IssueId[]>;
  /** Issues that hold a slot at a gate that was opened at `requestedBy` or before. */
  gatesHoldingSlots(requestedBy: Date): Promise<readonly IssueId[]>;
  /**
   * Frees the slots of all issues that wait for a person, and starts others in them. Does nothing where the stores were
   * opened to keep those slots.
   *
   * @returns how many slots
   */
  freeGateSlots(): Promise<number>;
  /** Of these issues, those whose workspace may be needed again: not ended, or failed since `failedSince`. */
  needingWorkspace(issueIds: readonly string[], failedSince: Date): Promise<readonly string[]>;
  /** Of these issues, those that a worker of any process has claimed. */
  leased(issueIds: readonly string[]): Promise<readonly string[]>;

  /** Opens a stage run (the next attempt of the round) with its `stage.started` event. */
  beginStep(lease: Lease, step: NewStep): Promise<Step | null>;
  /** Closes a stage run that will be tried again, with its event; the issue stays as it is. */
  failStep(lease: Lease, step: StepOutcome, event: NewEvent): Promise<boolean>;
  /** Every stage run of the issue, in the order in which they began. */
  steps(issueId: IssueId): Promise<readonly StepRecord[]>;
  /** Appends events that change nothing else. */
  record(lease: Lease, events: readonly NewEvent[]): Promise<boolean>;

  journal(issueId: IssueId, key: JournalKey): Promise<readonly JournalEntry[]>;
  /**
   * Appends to a journal, with the events that tell of it, in one write. In the same write `usage` entries are added to
   * the issue's usage, `note` entries mark their notes as read, and `checkpoint` becomes the kept one of kind `work`.
   */
  appendJournal(lease: Lease, key: JournalKey, written: JournalWrite): Promise<boolean>;
  /** What people wrote to the agent and no agent has read, in order. */
  notes(issueId: IssueId): Promise<readonly Note[]>;

  /** Keeps a tree so that any host can go on from it; replaces the last one of its kind. */
  saveCheckpoint(lease: Lease, kind: CheckpointKind, checkpoint: Checkpoint): Promise<boolean>;
  checkpoint(issueId: IssueId, kind: CheckpointKind): Promise<Checkpoint | null>;

  /** Keeps the change so far, so that it can be read from any process; replaces the last one. Writes `diff.updated` when it changed. */
  saveDiff(lease: Lease, diff: WorkspaceDiff): Promise<boolean>;
  diff(issueId: IssueId): Promise<WorkspaceDiff | null>;

  appendLog(lease: Lease, chunks: readonly LogChunk[]): Promise<boolean>;
  log(issueId: IssueId, range: { after: number; limit: number }): Promise<readonly LogLine[]>;
}
