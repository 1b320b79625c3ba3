import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until the disk has the file's content. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Waits until the disk has the names in the folder: without it a power cut may undo a rename that was relied on. */
export function syncFolder(path: string): void {
  syncFile(path);
}
