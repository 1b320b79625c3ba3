import { AppError } from '@sluice/core/error';
import type { WorkspaceFiles } from '@sluice/core/workspace';

/** The text of a file; null for one that is absent or cannot be read as text. */
export async function textOf(files: Pick<WorkspaceFiles, 'read'>, path: string): Promise<string | null> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof AppError && error.code === 'tool_refused') return null;
    throw error;
  }
}
