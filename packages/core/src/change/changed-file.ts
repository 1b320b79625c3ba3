/** A file of a change with its text at the base and at the head. */
export interface ChangedFile {
  /** The path in git's spelling. A renamed file is two: one that is gone and one that is new. */
  readonly path: string;
  /** Null where there is no such file, or none that is text. */
  readonly before: string | null;
  readonly after: string | null;
  /** What became of a file that is no text, of which only this is known. */
  readonly binary?: 'new' | 'changed' | 'gone';
}

/** What the findings are taken from. */
export interface JudgedChange {
  /** Every changed file, or as many as could be read. */
  readonly files: readonly ChangedFile[];
  /** The paths that the approved plan names. */
  readonly planned: readonly string[];
}
