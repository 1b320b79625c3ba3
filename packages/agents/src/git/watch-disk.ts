import { isSpaceLow } from '../free-space/free-space.ts';

/** A fast disk takes less than the reserve between two looks. */
const LOOK_MS = 250;

/**
 * Calls `onLow` once when the disk that holds `folder` is down to its reserve.
 *
 * @returns ends the watch
 */
export function watchDisk(folder: string, onLow: () => void): () => void {
  const look = async (): Promise<void> => {
    // A folder that is gone is no reason to stop: the call fails by itself.
    if (!(await isSpaceLow(folder).catch(() => false))) return;
    clearInterval(timer);
    onLow();
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return () => clearInterval(timer);
}
