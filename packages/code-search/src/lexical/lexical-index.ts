import type { CodeHit, CodeIndex } from '@sluice/core/code-search';
import type { RepoId } from '@sluice/core/id';

/** A piece of a file as it is indexed: a symbol, a part of a long one, a few small neighbours, or a window of lines. */
export interface LexicalChunk {
  /** The blob and the lines, e.g. `3f2a…:12-40`: the same for the same content, in whatever snapshot it stands. */
  readonly id: string;
  /** The path of a content; one of them, where it stands at several. */
  readonly path: string;
  readonly symbol: string | null;
  /** From 1, inclusive at both ends. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

export interface LexicalHit extends CodeHit {
  readonly id: string;
}

/** The index by words. Its chunks are accessible, so that they can be searched in other ways too. */
export interface LexicalIndex extends CodeIndex {
  search(
    repoId: RepoId,
    question: { readonly query: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly LexicalHit[]>;
  /**
   * A page of what is searched now, in the order of the ids' blobs and lines. A content that stands at several paths
   * comes once. Pages are not of one moment: an update may end between two.
   * @param after the last id of the page before, or null for the first page
   * @param limit chunks in a page, at most 500
   * @returns an empty page after the last one
   */
  chunks(repoId: RepoId, after: string | null, limit: number): Promise<readonly LexicalChunk[]>;
  /** The chunks with these ids that are searched now, in the order of the ids; the others are left out. */
  chunksById(repoId: RepoId, ids: readonly string[]): Promise<readonly LexicalChunk[]>;
}
