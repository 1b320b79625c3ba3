/** A piece of a file, as it is indexed. */
export interface CodeChunk {
  /** From 1, inclusive at both ends. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** The symbol that it is (a part of), with the names around it, e.g. `Router.match`; of several, the longest. */
  readonly symbol: string | null;
  /** The names of all symbols in it, one a line. */
  readonly names: string;
}
