import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until the disk has the names in the folder: without it a power cut may lose a file that was just named. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
