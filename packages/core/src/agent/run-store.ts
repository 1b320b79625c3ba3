import type { IssueId } from '../id/id.ts';
import type { AttemptStore } from '../issue/attempt-store.ts';
import type { Lease } from '../issue/lease.ts';
import type { LeaseStore } from '../issue/lease-store.ts';
import type { RepoIndex } from '../repo/repo.ts';
import type { Checkpoint, WorkspaceDiff } from '../workspace/workspace.ts';
import type { JournalStore } from './journal-store.ts';

/** Everything that a worker reads and writes while it drives issues. */
export type RunStore = LeaseStore &
  GateStore &
  AttemptStore &
  JournalStore &
  CheckpointStore &
  CodeIndexState &
  CommandLogStore;

/** The open gates of all issues. */
interface GateStore {
  /** Issues whose gate has expired without a decision. */
  expiredGates(now: Date): Promise<readonly IssueId[]>;
  /** Issues that hold a slot at a gate opened no later than `requestedBy`. */
  gatesHoldingSlots(requestedBy: Date): Promise<readonly IssueId[]>;
  /**
   * Frees the slots of all issues at a gate, and starts queued issues in them. Does nothing where gates keep their slots.
   *
   * @returns the number of slots
   */
  freeGateSlots(): Promise<number>;
}

/** `implementation`: the commit of the last finished round. `work`: the working tree of the current round. */
export const checkpointKinds = ['implementation', 'work'] as const;
export type CheckpointKind = (typeof checkpointKinds)[number];

/** Saved working trees and diffs. Writes return false when the lease is lost: nothing was written. */
interface CheckpointStore {
  /** Saves a working tree so that any host can continue from it. Replaces the last one of its kind. */
  saveCheckpoint(lease: Lease, kind: CheckpointKind, checkpoint: Checkpoint): Promise<boolean>;
  checkpoint(issueId: IssueId, kind: CheckpointKind): Promise<Checkpoint | null>;

  /** Saves the current diff for all processes, with a `diff.updated` event if it changed. Replaces the last one. */
  saveDiff(lease: Lease, diff: WorkspaceDiff): Promise<boolean>;
  diff(issueId: IssueId): Promise<WorkspaceDiff | null>;
}

/** What the code index of an issue's repository holds. */
interface CodeIndexState {
  /** Shows it with the repository. Returns false when the lease is lost: nothing was written. */
  saveIndex(lease: Lease, index: RepoIndex): Promise<boolean>;
}

/** A chunk of a command's output. */
export interface LogChunk {
  readonly command: string;
  /** The number of the `command.started` of the run that wrote it. */
  readonly runSeq: number;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
  /** The kind of a gap, which the text tells too; absent in a chunk of the output itself. */
  readonly leftOut?: LeftOut;
}

/** Output that was not kept, because a command may write without end. */
export interface LeftOut {
  readonly characters: number;
  /** The ends of lines among them. */
  readonly lines: number;
}

export interface LogLine extends Omit<LogChunk, 'runSeq' | 'leftOut'> {
  readonly seq: number;
  /** Null where an earlier release wrote it. */
  readonly runSeq: number | null;
  readonly leftOut: LeftOut | null;
  readonly at: Date;
}

/** The output of an issue's commands. Writes return false when the lease is lost: nothing was written. */
interface CommandLogStore {
  appendLog(lease: Lease, chunks: readonly LogChunk[]): Promise<boolean>;
  log(issueId: IssueId, range: { after: number; limit: number }): Promise<readonly LogLine[]>;
}
