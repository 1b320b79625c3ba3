import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Flushes the file's content to disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Flushes the folder's entries to disk: a power cut could otherwise undo a rename. */
export function syncFolder(path: string): void {
  syncFile(path);
}
