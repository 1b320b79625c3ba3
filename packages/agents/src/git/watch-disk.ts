import { type FreeSpace, freeSpace, isBelowReserve } from '../free-space/free-space.ts';

/** A fast disk takes less than the reserve between two looks. */
const LOOK_MS = 250;

/**
 * Calls `onLow` once when the disk that holds `folder` is down to its reserve.
 *
 * @returns ends the watch
 */
export function watchDisk(folder: string, onLow: (space: FreeSpace) => void): () => void {
  const look = async (): Promise<void> => {
    // A folder that is gone is no reason to stop: the call fails by itself.
    const space = await freeSpace(folder).catch(() => null);
    if (space === null || !isBelowReserve(space)) return;
    clearInterval(timer);
    onLow(space);
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return () => clearInterval(timer);
}
