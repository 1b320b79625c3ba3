import type { IssueId } from '../id/id.ts';
import type { Lease } from '../issue/lease-store.ts';
import type { Checkpoint, WorkspaceDiff } from '../workspace/workspace.ts';

/** Whose tree a checkpoint keeps: the last finished round's commit, or the round that is under way. */
export const checkpointKinds = ['implementation', 'work'] as const;
export type CheckpointKind = (typeof checkpointKinds)[number];

/** Saved working trees and diffs. Writes return false when the lease is lost: nothing was written. */
export interface CheckpointStore {
  /** Keeps a tree so that any host can go on from it; replaces the last one of its kind. */
  saveCheckpoint(lease: Lease, kind: CheckpointKind, checkpoint: Checkpoint): Promise<boolean>;
  checkpoint(issueId: IssueId, kind: CheckpointKind): Promise<Checkpoint | null>;

  /** Keeps the change so far, so that it can be read from any process; replaces the last one. Writes `diff.updated` when it changed. */
  saveDiff(lease: Lease, diff: WorkspaceDiff): Promise<boolean>;
  diff(issueId: IssueId): Promise<WorkspaceDiff | null>;
}
