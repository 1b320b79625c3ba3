import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const STOPPED_MS = 60_000; // tells of a process that cannot be stopped

/**
 * Stops a process by SIGSTOP and comes back when all of its threads stand: on a busy machine they go on for a while
 * after the signal, and answer. One that has ended is left alone.
 *
 * @throws Error when they still run after a minute
 */
export function freezeProcess(child: ChildProcess | null): void {
  if (child?.pid !== undefined) freezePid(child.pid);
}

/** The same of a process that need not be a child of this one. */
export function freezePid(pid: number): void {
  try {
    process.kill(pid, 'SIGSTOP');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return;
  }
  const last = performance.now() + STOPPED_MS;
  while (!allStand(pid)) {
    if (performance.now() > last) throw new Error(`The process ${pid} did not stop within ${STOPPED_MS} ms.`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
}

function allStand(pid: number): boolean {
  return threadsOf(pid).every((thread) => {
    const stat = readIfThere(`/proc/${pid}/task/${thread}/stat`);
    return stat === null || 'TtZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2));
  });
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // it has ended meanwhile
  }
}

/** The text of the file; null for a thread that has ended. */
function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return null;
  }
}
