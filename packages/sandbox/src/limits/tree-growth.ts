import { lstat, statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  AppError,
  diskFull,
  type FreeSpace,
  freeSpaceOf,
  isBelowReserve,
  renderFreeSpace,
  type SandboxResult,
} from '@sluice/core';
import type { EndedBy } from '../process/supervise.ts';
import { bytesOfAnEntry, treeSize } from './tree-size.ts';
import { namelessBytes } from './unlinked-files.ts';

/** A walk may take this part of the time, so a huge tree is walked seldom rather than always. */
const restFactor = 10;
const shortestRestMs = 1_000;
/** How long the question what filled the disk may take: until it is answered the disk stays full. */
const blameMs = 2_000;

export interface TreeGrowth {
  /**
   * Whether the tree has grown by more than the limit, or the disk is down to its reserve, whatever filled it; to be asked
   * every quarter of a second or so.
   */
  exceeded(rootPid: number): Promise<boolean>;
  /**
   * To be asked when the command is dead, however it ended: it may have filled the disk between two looks.
   *
   * @returns what ended the command
   * @throws AppError `disk_limit` when it took too much, `disk_full` when something else filled the disk
   */
  refuse(endedBy: EndedBy): Promise<SandboxResult['endedBy']>;
  stop(): void;
}

/** What was found when the disk was down to its reserve. */
interface LowSpace {
  readonly space: FreeSpace;
  /** Bytes of files without a name, which are gone with the processes that hold them. */
  readonly nameless: number;
}

/**
 * Watches what a command adds to its working tree. Free space is asked often, because that costs nothing, and decides only
 * when a walk is due; the walk decides. Files without a name, which no walk meets, are counted at the processes that hold them.
 */
export function watchTreeGrowth(root: string, limitBytes: number): TreeGrowth {
  const startedAt = Date.now();
  const stop = new AbortController();
  // The walk for the start runs beside the command.
  const before = treeSize(root, { signal: stop.signal, changedBefore: startedAt }).catch(() => ({
    bytes: 0,
    complete: false,
  }));
  const freeAtStart = statfs(root).then(freeSpaceOf);
  // A command may end before anybody asks, and a tree may go while it starts.
  freeAtStart.catch(() => undefined);
  let freeAtWalk: number | null = null;
  let nextWalkAt = startedAt + shortestRestMs;
  let isOverLimit = false;
  let low: LowSpace | null = null;

  const heldNameless = async (rootPid: number) => namelessBytes(rootPid, (await lstat(root)).dev);

  /** Whether at least half of what is missing since the start is this command's. If that takes too long, it is. */
  async function tookMost({ space, nameless }: LowSpace): Promise<boolean> {
    const start = await freeAtStart;
    const missing = Math.max(start.free - space.free, (start.freeEntries - space.freeEntries) * bytesOfAnEntry);
    if (missing <= 0) return false;
    const signal = AbortSignal.timeout(blameMs);
    const old = await Promise.race([before, pause(blameMs, null)]);
    if (old === null) return true;
    const stopAbove = old.bytes + missing / 2 - nameless;
    return treeSize(root, { signal, stopAbove }).then(
      ({ bytes, complete }) => !complete || bytes > stopAbove,
      () => true,
    );
  }

  return {
    async exceeded(rootPid) {
      const [start, free] = await Promise.all([freeAtStart, statfs(root).then(freeSpaceOf)]);
      if (isBelowReserve(free)) low ??= { space: free, nameless: await heldNameless(rootPid).catch(() => 0) };
      if (low !== null) return true;
      const fell = start.free - free.free;
      const fellSinceWalk = (freeAtWalk ?? start.free) - free.free;
      if (Date.now() < nextWalkAt && fellSinceWalk < limitBytes / 4) return false;
      const walkedFrom = Date.now();
      const [old, now] = await Promise.all([before, treeSize(root, { signal: stop.signal })]);
      const nameless = fell > limitBytes / 2 ? await heldNameless(rootPid) : 0;
      freeAtWalk = free.free;
      nextWalkAt = Date.now() + Math.max(shortestRestMs, (Date.now() - walkedFrom) * restFactor);
      isOverLimit = (!now.complete && fell > limitBytes) || now.bytes - old.bytes + nameless > limitBytes;
      return isOverLimit;
    },
    async refuse(endedBy) {
      const space = freeSpaceOf(await statfs(root));
      if (isBelowReserve(space)) low ??= { space, nameless: 0 };
      if (low !== null) throw (await tookMost(low)) ? filledDisk(low.space) : diskFull(low.space);
      if (isOverLimit || endedBy === 'disk') throw overLimit(limitBytes);
      return endedBy;
    },
    stop: () => stop.abort(),
  };
}

function filledDisk(space: FreeSpace): AppError {
  const detail = `The command filled the disk that holds the working trees: ${renderFreeSpace(space)}. Let it write less, or ask the operator for a larger disk (WORKSPACES_DIR).`;
  return new AppError('disk_limit', { detail });
}

function overLimit(limitBytes: number): AppError {
  const limit = `${Math.round(limitBytes / 2 ** 20)} MiB`;
  const detail = `The command wrote more than ${limit} into the working tree, which is the limit of one command. Let it write less.`;
  return new AppError('disk_limit', { detail });
}
