import { lstat, statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@sluice/core/error';
import {
  diskFull,
  type FreeSpace,
  freeSpaceOf,
  isBelowReserve,
  renderFreeSpace,
  type SandboxResult,
} from '@sluice/core/workspace';
import type { EndedBy } from '../process/supervise.ts';
import { bytesOfAnEntry, treeSize } from './tree-size.ts';
import { unlinkedBytes } from './unlinked-files.ts';

/** The pause after a walk is this many times as long as the walk, so that a huge tree is not walked all the time. */
const restFactor = 10;
const shortestRestMs = 1_000;
/** The timeout for finding out what filled the disk, which stays full meanwhile. */
const blameMs = 2_000;

export interface TreeGrowth {
  /**
   * Whether the tree has grown by more than the limit, or the disk is down to its reserve for any reason. Call it about four
   * times a second.
   */
  exceeded(rootPid: number): Promise<boolean>;
  /**
   * Call it when the command is dead, however it ended: it may have filled the disk between two polls.
   *
   * @returns the reason why the command ended
   * @throws AppError `disk_limit` when it took too much, `disk_full` when something else filled the disk
   */
  refuse(endedBy: EndedBy): Promise<SandboxResult['endedBy']>;
  stop(): void;
}

/** The measurement when the disk was down to its reserve. */
interface LowSpace {
  readonly space: FreeSpace;
  /** Bytes of deleted files, which are freed when the processes that hold them end. */
  readonly unlinked: number;
}

/**
 * Watches how much a command adds to its working tree. Free space is checked often, because that is cheap, and triggers a
 * walk of the tree, whose result counts. Deleted files, which a walk does not find, are counted at the processes that hold
 * them open.
 */
export function watchTreeGrowth(root: string, limitBytes: number): TreeGrowth {
  const startedAt = Date.now();
  const stop = new AbortController();
  // The first walk runs while the command starts.
  const before = treeSize(root, { signal: stop.signal, changedBefore: startedAt }).catch(() => ({
    bytes: 0,
    complete: false,
  }));
  const freeAtStart = statfs(root).then(freeSpaceOf);
  // The command may end before the first poll, and the tree may be removed while it starts.
  freeAtStart.catch(() => undefined);
  let freeAtWalk: number | null = null;
  let nextWalkAt = startedAt + shortestRestMs;
  let isOverLimit = false;
  let low: LowSpace | null = null;

  const heldUnlinked = async (rootPid: number) => unlinkedBytes(rootPid, (await lstat(root)).dev);

  /** Whether this command took at least half of the space lost since its start. True if finding out takes too long. */
  async function tookMost({ space, unlinked }: LowSpace): Promise<boolean> {
    const start = await freeAtStart;
    const missing = Math.max(start.free - space.free, (start.freeEntries - space.freeEntries) * bytesOfAnEntry);
    if (missing <= 0) return false;
    const signal = AbortSignal.timeout(blameMs);
    const old = await Promise.race([before, pause(blameMs, null)]);
    if (old === null) return true;
    const stopAbove = old.bytes + missing / 2 - unlinked;
    return treeSize(root, { signal, stopAbove }).then(
      ({ bytes, complete }) => !complete || bytes > stopAbove,
      () => true,
    );
  }

  return {
    async exceeded(rootPid) {
      const [start, free] = await Promise.all([freeAtStart, statfs(root).then(freeSpaceOf)]);
      if (isBelowReserve(free)) low ??= { space: free, unlinked: await heldUnlinked(rootPid).catch(() => 0) };
      if (low !== null) return true;
      const fell = start.free - free.free;
      const fellSinceWalk = (freeAtWalk ?? start.free) - free.free;
      if (Date.now() < nextWalkAt && fellSinceWalk < limitBytes / 4) return false;
      const walkedFrom = Date.now();
      const [old, now] = await Promise.all([before, treeSize(root, { signal: stop.signal })]);
      const unlinked = fell > limitBytes / 2 ? await heldUnlinked(rootPid) : 0;
      freeAtWalk = free.free;
      nextWalkAt = Date.now() + Math.max(shortestRestMs, (Date.now() - walkedFrom) * restFactor);
      isOverLimit = (!now.complete && fell > limitBytes) || now.bytes - old.bytes + unlinked > limitBytes;
      return isOverLimit;
    },
    async refuse(endedBy) {
      const space = freeSpaceOf(await statfs(root));
      if (isBelowReserve(space)) low ??= { space, unlinked: 0 };
      if (low !== null) throw (await tookMost(low)) ? filledDisk(low.space) : diskFull(low.space);
      if (isOverLimit || endedBy === 'disk') throw overLimit(limitBytes);
      return endedBy;
    },
    stop: () => stop.abort(),
  };
}

function filledDisk(space: FreeSpace): AppError {
  const detail = `The command filled the disk of the working trees: ${renderFreeSpace(space)}. Make it write less, or ask the operator for a larger disk (WORKSPACES_DIR).`;
  return new AppError('disk_limit', { detail });
}

function overLimit(limitBytes: number): AppError {
  const limit = `${Math.round(limitBytes / 2 ** 20)} MiB`;
  const detail = `The command wrote more than ${limit} to the working tree, the limit for one command. Make it write less.`;
  return new AppError('disk_limit', { detail });
}
