import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** CPU seconds of a test file and of the processes that it started and that have ended. */
    cpuSeconds?: number;
  }
}

const TICKS_A_SECOND = 100; // USER_HZ, which is 100 on every architecture that we run on

/** CPU seconds of this process and of the ended ones below it. Zero where there is no `/proc`. */
function cpuSeconds(): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name of the program, in parentheses, may hold spaces. After it, utime to cstime are the fields 12 to 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
}

/*
 * Files share processes, so that what one costs is the difference between its beginning and its end. This set-up runs before
 * the file is loaded, and its hook, the first one, runs last.
 */
const before = cpuSeconds();
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the first parameter.
afterAll(({}, file) => {
  file.meta.cpuSeconds = cpuSeconds() - before;
});
