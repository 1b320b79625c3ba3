import type { RepoId } from '../id/id.ts';
import type { RepoIndex } from '../repo/repo.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface CodeHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The function, class or other symbol that it is (a part of), or null. */
  readonly symbol: string | null;
  readonly text: string;
  /** Higher is better; comparable only within one answer. */
  readonly score: number;
}

/** A symbol that a file defines. */
export interface CodeSymbol {
  /** E.g. `function`, `class`, `method`. */
  readonly kind: string;
  readonly name: string;
  readonly startLine: number;
  readonly endLine: number;
  /** How deep it stands in other symbols; 0 = at the file's top. */
  readonly depth: number;
  /** Its first line. */
  readonly signature: string;
}

/** Finds code by words and, with an embedding model, by meaning. One index per repository, shared by its issues; keyed by blob, so only changed blobs are read. */
export interface CodeIndex {
  /** @returns with what is indexed now, what a reader of the issue must know, e.g. that meaning is not searched */
  update(
    workspace: Workspace,
    signal: AbortSignal,
  ): Promise<{ readonly index: RepoIndex; readonly notes: readonly string[] }>;
  search(
    repoId: RepoId,
    question: { readonly query: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly CodeHit[]>;
  /** What a file defines, in order; null where its language is not known. */
  outline(file: { readonly path: string; readonly text: string }): Promise<readonly CodeSymbol[] | null>;
  drop(repoId: RepoId): Promise<void>;
  close(): Promise<void>;
}
