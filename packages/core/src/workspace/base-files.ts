/** A file of the commit that the work starts from. */
export interface BaseFile {
  /** Where it is found: a link keeps its own path. */
  readonly path: string;
  /** The name of its content: two files with the same id are one text, whether by a link or a copy. */
  readonly id: string;
}

/**
 * The files of the commit that the work starts from, as they are there: nothing that was done in the working tree changes
 * them. In a merge, those of the commit that is merged.
 */
export interface BaseFiles {
  /**
   * The files of which the path is wanted, sorted by path. Links are followed inside the tree, also one whose path is wanted
   * to a folder with wanted files; one that leads out of it, round in circles or nowhere is no file.
   */
  find(isWanted: (path: string) => boolean, signal: AbortSignal): Promise<readonly BaseFile[]>;
  /** The texts of files by their id. What is no text that the file tools would read, or a pointer of Git LFS, is left out. */
  read(files: readonly BaseFile[], signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
}
