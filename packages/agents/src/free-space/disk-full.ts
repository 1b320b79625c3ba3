import { AppError } from '@sluice/core';
import { type FreeSpace, spaceInWords } from './free-space.ts';

/** What fills the disk may be the tree of another command, which is deleted by then, also a large one. */
const RETRY_AFTER_MS = 15_000;

/** The disk is down to its reserve, by no fault of what is refused here: it is tried again. */
export function diskFull(space: FreeSpace): AppError {
  const detail = `The disk that holds the working trees is nearly full: ${spaceInWords(space)}. Ask the operator to free some space, or for a larger disk (WORKSPACES_DIR).`;
  return new AppError('disk_full', { detail, retryAfterMs: RETRY_AFTER_MS });
}
