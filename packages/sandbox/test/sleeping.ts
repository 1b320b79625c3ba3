import { readFile } from 'node:fs/promises';
import { processTree } from '../src/process/process-tree.ts';

export interface SleepingProcess {
  readonly pid: number;
  readonly command: string;
}

/** So many seconds, as nobody else's `sleep` has them: another run of the same tests may be under way on this machine. */
export function ofThisRun(seconds: number): string {
  return `${seconds}.${String(process.pid).padStart(10, '0')}`;
}

/**
 * Processes of this machine, seen from outside, that sleep so many seconds of this run or say that they will. The number alone
 * will not do: a database's processes name the ports of their clients.
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
