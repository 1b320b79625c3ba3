import { type FreeSpace, isBelowReserve } from '@sluice/core/workspace';
import { freeSpace } from './free-space.ts';

/** A fast disk takes less than the reserve between two checks. */
const CHECK_MS = 250;

/**
 * Calls `onLow` once when the disk that holds `folder` is down to its reserve.
 *
 * @returns ends the watch
 */
export function watchDisk(folder: string, onLow: (space: FreeSpace) => void): () => void {
  const check = async (): Promise<void> => {
    // A missing folder does not end the watch: the call on it fails anyway.
    const space = await freeSpace(folder).catch(() => null);
    if (space === null || !isBelowReserve(space)) return;
    clearInterval(timer);
    onLow(space);
  };
  const timer = setInterval(() => void check(), CHECK_MS);
  return () => clearInterval(timer);
}
