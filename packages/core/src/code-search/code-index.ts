import type { RepoId } from '../id/id.ts';
import type { RepoIndex } from '../repo/repo.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface CodeHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The enclosing function, class or other symbol, or null. */
  readonly symbol: string | null;
  readonly text: string;
  /** Higher is better. Comparable only within one result. */
  readonly score: number;
}

export interface CodeQuestion {
  readonly query: string;
  readonly limit: number;
  /** The same as in `CodeIndex.update`. */
  readonly beforeCall?: () => Promise<void>;
}

/** A symbol that a file defines. */
export interface CodeSymbol {
  /** E.g. `function`, `class`, `method`. */
  readonly kind: string;
  readonly name: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Its nesting depth; 0 at the top level. */
  readonly depth: number;
  /** Its first line. */
  readonly signature: string;
}

/** A place where a text does not parse. */
export interface SyntaxFault {
  /** From 1. */
  readonly line: number;
  /** A phrase, e.g. `"}" is missing`. */
  readonly problem: string;
}

/**
 * Lexical search and, with an embedding model, semantic search. One index per repository, shared by its issues and keyed
 * by blob, so that an update reads only changed blobs.
 */
export interface CodeIndex {
  /**
   * @param beforeCall runs right before each request to an embedding model; if it throws, the request is not sent
   * @returns the state of the index, with notes for readers of the issue, e.g. that semantic search is off
   */
  update(
    workspace: Workspace,
    signal: AbortSignal,
    beforeCall?: () => Promise<void>,
  ): Promise<{ readonly index: RepoIndex; readonly notes: readonly string[] }>;
  search(repoId: RepoId, question: CodeQuestion, signal: AbortSignal): Promise<readonly CodeHit[]>;
  /** The symbols of a file, in order; null where its language is not known. */
  outline(file: { readonly path: string; readonly text: string }): Promise<readonly CodeSymbol[] | null>;
  /** The places at which a text does not parse; null where that is not known, e.g. for a language without a grammar. */
  syntaxFaults(file: { readonly path: string; readonly text: string }): Promise<readonly SyntaxFault[] | null>;
  drop(repoId: RepoId): Promise<void>;
  close(): Promise<void>;
}
