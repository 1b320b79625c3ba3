import { statfs } from 'node:fs/promises';

/** What a file system has left for users without privileges. */
export interface FreeSpace {
  /** Bytes. */
  readonly free: number;
  readonly total: number;
  /** Zero, as is the total, where the file system makes entries (inodes) as it needs them. */
  readonly freeEntries: number;
  readonly totalEntries: number;
}

const MIB = 1024 ** 2;
/** About what a fast disk takes between two looks of a watch, four times a second. */
const RESERVE_BYTES = 512 * MIB;
/** About what a fast file system creates between two looks. */
const RESERVE_ENTRIES = 25_000;
/** On a small file system the reserve must leave most of it usable. */
const RESERVE_SHARE = 0.05;

/** @throws Error of `statfs`, such as ENOENT */
export async function freeSpace(path: string): Promise<FreeSpace> {
  const { bavail, blocks, bsize, ffree, files } = await statfs(path);
  return { free: bavail * bsize, total: blocks * bsize, freeEntries: ffree, totalEntries: files };
}

/** The free bytes and entries below which the service stops whatever fills the disk. */
export function reserveOf({ total, totalEntries }: FreeSpace): { readonly bytes: number; readonly entries: number } {
  return {
    bytes: Math.min(RESERVE_BYTES, total * RESERVE_SHARE),
    entries: Math.min(RESERVE_ENTRIES, totalEntries * RESERVE_SHARE),
  };
}

/** Whether the file system that holds `path` is down to its reserve. @throws Error of `statfs`, such as ENOENT */
export async function isSpaceLow(path: string): Promise<boolean> {
  return isBelowReserve(await freeSpace(path));
}

/** What is left, for an error message: bytes, or entries where those are what is short. */
export function spaceInWords(space: FreeSpace): string {
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
