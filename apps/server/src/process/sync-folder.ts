import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Flushes a folder's entries to disk: without it a power failure may lose a file that was just created or renamed. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
