import { readdirSync, readFileSync } from 'node:fs';

/** The CPU time that a process and its threads have used so far, in microseconds. Linux only. */
export function cpuOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [ran] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    nanoseconds += Number(ran);
  }
  return nanoseconds / 1_000;
}
