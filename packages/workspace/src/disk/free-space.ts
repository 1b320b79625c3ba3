import { statfs } from 'node:fs/promises';
import { type FreeSpace, freeSpaceOf, isBelowReserve } from '@sluice/core/workspace';

/** Measures the free space of the file system that holds `path`. @throws Error of `statfs`, such as ENOENT */
export async function freeSpace(path: string): Promise<FreeSpace> {
  return freeSpaceOf(await statfs(path));
}

/** Whether the file system that holds `path` is down to its reserve. @throws Error of `statfs`, such as ENOENT */
export async function isSpaceLow(path: string): Promise<boolean> {
  return isBelowReserve(await freeSpace(path));
}
