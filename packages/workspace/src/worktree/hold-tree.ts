import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@sluice/core/error';
import { lockFile } from './lock-file.ts';

const WAIT_MS = 30_000; // a process that slept notices that its lease is over as soon as it wakes
const HELD =
  'Another process on this host still uses the working tree of this issue, although its lease is over: it was probably suspended. Resume it or end it. If the issue has failed meanwhile, retry it.';
/**
 * The error of a held tree. The stage is retried for minutes, like for a service that is away: the process may be
 * resumed.
 */
const heldError = () => new AppError('not_ready', { detail: HELD });

/**
 * Takes the working tree of an issue for one execution. A process that was suspended wakes with a tool call under way, and must
 * not find its successor in the same tree.
 *
 * @returns a function that lets the next one in
 * @throws AppError `not_ready` when another process does not let go; the signal's reason
 */
export async function holdTree(folder: string, issueId: string, signal: AbortSignal): Promise<() => void> {
  const path = lockPath(folder, issueId);
  for (;;) {
    signal.throwIfAborted();
    createOnce(path);
    const before = fileAt(path);
    const release = await lockFile(path, { waitMs: WAIT_MS, held: heldError, signal });
    // The last holder may have dropped the file: the next execution would lock another one.
    if (before !== null && before === fileAt(path)) return release;
    release();
  }
}

/** Deletes the lock file of a tree that is gone, unless an execution holds it. */
export async function dropTreeLock(folder: string, issueId: string): Promise<void> {
  const path = lockPath(folder, issueId);
  if (fileAt(path) === null) return;
  const signal = new AbortController().signal;
  const release = await lockFile(path, { waitMs: 0, held: heldError, signal }).catch(() => null);
  if (release === null) return;
  rmSync(path, { force: true });
  release();
}

/** The ids of issues that have a lock file, also without a tree: it may have been removed, or never made. */
export async function listTreeLocks(folder: string): Promise<string[]> {
  return (await readdir(folder)).flatMap((name) => /^held-(.+)\.lock$/.exec(name)?.[1] ?? []);
}

/** An existing file is not even opened: closing it would end the lock of an execution of this process. */
function createOnce(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function lockPath(folder: string, issueId: string): string {
  return join(folder, `held-${issueId}.lock`);
}

function fileAt(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}
