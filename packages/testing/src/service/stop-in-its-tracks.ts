import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const STOPPED_MS = 5_000; // tells of a process that cannot be stopped

/**
 * Stops a process by SIGSTOP and comes back when all of its threads stand: on a busy machine they go on for a while
 * after the signal, and answer. One that has ended is left alone.
 *
 * @throws Error when they still run after 5 s
 */
export function stopInItsTracks(child: ChildProcess | null): void {
  if (child?.pid === undefined || !child.kill('SIGSTOP')) return;
  const { pid } = child;
  const last = performance.now() + STOPPED_MS;
  while (!allStand(pid)) {
    if (performance.now() > last) throw new Error(`The process ${pid} did not stop within ${STOPPED_MS} ms.`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  }
}

function allStand(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    return 'TtZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2));
  });
}
