import type { IssueId } from '../id/id.ts';
import type { Lease } from '../issue/lease-store.ts';
import type { Checkpoint, WorkspaceDiff } from '../workspace/workspace.ts';

/** `implementation`: the commit of the last finished round. `work`: the working tree of the current round. */
export const checkpointKinds = ['implementation', 'work'] as const;
export type CheckpointKind = (typeof checkpointKinds)[number];

/** Saved working trees and diffs. Writes return false when the lease is lost: nothing was written. */
export interface CheckpointStore {
  /** Saves a working tree so that any host can continue from it. Replaces the last one of its kind. */
  saveCheckpoint(lease: Lease, kind: CheckpointKind, checkpoint: Checkpoint): Promise<boolean>;
  checkpoint(issueId: IssueId, kind: CheckpointKind): Promise<Checkpoint | null>;

  /** Saves the current diff for all processes, with a `diff.updated` event if it changed. Replaces the last one. */
  saveDiff(lease: Lease, diff: WorkspaceDiff): Promise<boolean>;
  diff(issueId: IssueId): Promise<WorkspaceDiff | null>;
}
