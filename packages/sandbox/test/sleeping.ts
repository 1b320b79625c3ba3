import { readFile } from 'node:fs/promises';
import { processTree } from '../src/process/process-tree.ts';

export interface SleepingProcess {
  readonly pid: number;
  readonly command: string;
}

/** A number of seconds that no other `sleep` uses: the same tests may be running twice on this machine. */
export function ofThisRun(seconds: number): string {
  return `${seconds}.${String(process.pid).padStart(10, '0')}`;
}

/**
 * Processes of this machine, seen from outside, whose arguments contain such a sleep of this run. Matching only the number is
 * not enough: the processes of a database name the ports of their clients.
 */
export async function sleeping(seconds: number): Promise<SleepingProcess[]> {
  const found: SleepingProcess[] = [];
  for (const { pid } of await processTree(1)) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const command = line.replaceAll('\0', ' ');
    if (command.includes(`sleep ${ofThisRun(seconds)}`)) found.push({ pid, command });
  }
  return found;
}
