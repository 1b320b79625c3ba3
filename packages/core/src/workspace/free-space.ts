import { AppError } from '../error/app-error.ts';

/** The space that a file system has left for users without privileges. */
export interface FreeSpace {
  /** Bytes. */
  readonly free: number;
  readonly total: number;
  /** Zero, like the total, where the file system creates entries (inodes) on demand. */
  readonly freeEntries: number;
  readonly totalEntries: number;
}

const MIB = 1024 ** 2;
/** About the amount that a fast disk fills between two checks, which run four times a second. */
const RESERVE_BYTES = 512 * MIB;
/** About the number that a fast file system creates between two checks. */
const RESERVE_ENTRIES = 25_000;
/** On a small file system the reserve must leave most of it usable. */
const RESERVE_SHARE = 0.05;

/** The part of `statfs` that free space is read from. */
interface FileSystemStats {
  readonly bavail: number;
  readonly blocks: number;
  readonly bsize: number;
  readonly ffree: number;
  readonly files: number;
}

export function freeSpaceOf({ bavail, blocks, bsize, ffree, files }: FileSystemStats): FreeSpace {
  return { free: bavail * bsize, total: blocks * bsize, freeEntries: ffree, totalEntries: files };
}

/** The free bytes and entries below which the service stops work that fills the disk. */
export function reserveOf({ total, totalEntries }: FreeSpace): { readonly bytes: number; readonly entries: number } {
  return {
    bytes: Math.min(RESERVE_BYTES, total * RESERVE_SHARE),
    entries: Math.min(RESERVE_ENTRIES, totalEntries * RESERVE_SHARE),
  };
}

/** The space that is left, for an error message: in bytes, or in entries where those are short. */
export function renderFreeSpace(space: FreeSpace): string {
  const reserve = reserveOf(space);
  if (space.freeEntries < reserve.entries) {
    return `${space.freeEntries} of ${space.totalEntries} entries (inodes) are left, and the reserve is ${Math.round(reserve.entries)}`;
  }
  const mib = (bytes: number) => `${Math.round(bytes / MIB)} MiB`;
  return `${mib(space.free)} of ${mib(space.total)} are left, and the reserve is ${mib(reserve.bytes)}`;
}

export function isBelowReserve(space: FreeSpace): boolean {
  const reserve = reserveOf(space);
  return space.free < reserve.bytes || space.freeEntries < reserve.entries;
}

/** How long to wait for another command's tree, which may be large, to be deleted. */
const RETRY_AFTER_MS = 15_000;

/** The disk is down to its reserve, and the caller did not fill it: the work is retried. */
export function diskFull(space: FreeSpace): AppError {
  const detail = `The disk that holds the working trees is nearly full: ${renderFreeSpace(space)}. Ask the operator to free some space, or for a larger disk (WORKSPACES_DIR).`;
  return new AppError('disk_full', { detail, retryAfterMs: RETRY_AFTER_MS });
}
