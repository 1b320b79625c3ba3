import { AppError } from '@sluice/core/error';
import type { WorkspaceFiles } from '@sluice/core/workspace';

/** One folder of a repository, as a detector sees it. Paths are relative to it. */
export interface ProjectFolder {
  /** All files below the folder. */
  readonly files: readonly string[];
  has(path: string): boolean;
  /** The text of a file, or null where there is none that can be read. */
  read(path: string): Promise<string | null>;
}

export function projectFolder(files: WorkspaceFiles, listed: readonly string[], folder: string): ProjectFolder {
  const prefix = folder === '' ? '' : `${folder}/`;
  const below = listed.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  const known = new Set(below);
  return {
    files: below,
    has: (path) => known.has(path),
    async read(path) {
      if (!known.has(path)) return null;
      try {
        return await files.read(`${prefix}${path}`);
      } catch (error) {
        // A symlink out of the tree, a binary or far too large file tells nothing of the project.
        if (error instanceof AppError && error.code === 'tool_refused') return null;
        throw error;
      }
    },
  };
}
