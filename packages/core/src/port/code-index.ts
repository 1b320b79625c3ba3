import type { RepoId } from '../id.ts';
import type { RepoIndex } from '../repo/repo.ts';
import type { Workspace } from './workspace.ts';

export interface CodeHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** Higher is better; comparable only within one answer. */
  readonly score: number;
}

/** Finds code by words. One index per repository, shared by its issues; keyed by blob, so only changed blobs are read. */
export interface CodeIndex {
  update(workspace: Workspace, signal: AbortSignal): Promise<RepoIndex>;
  search(repoId: RepoId, query: string, limit: number): Promise<readonly CodeHit[]>;
  drop(repoId: RepoId): Promise<void>;
  close(): Promise<void>;
}
