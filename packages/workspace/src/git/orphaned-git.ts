import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * A service that is killed outright leaves its git processes running: a checkout goes on writing into a tree that
 * the next service already repairs. So each git carries, in its environment, who started it (process id and start
 * time, as ids are used again) and for which folder; the next start ends those whose owner is dead.
 * Where there is no /proc nothing is found, and a repair may meet a git that still runs.
 */

const MARK = 'SLUICE_GIT_OWNER';
const WAIT_MS = 5_000;

/** The environment variable that says whose a git process is. */
export function gitOwnerMark(root: string): Record<string, string> {
  return { [MARK]: `${process.pid}.${startTime(process.pid) ?? 'unknown'}.${digest(root)}` };
}

/** Ends the git processes of dead services on this folder, and returns when they are gone. @returns how many */
export async function endOrphanedGit(root: string): Promise<number> {
  const suffix = `.${digest(root)}`;
  const orphans = processIds().filter((pid) => {
    const owner = ownerOf(pid);
    return owner?.endsWith(suffix) === true && !isAlive(owner);
  });
  for (const pid of orphans) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  const deadline = Date.now() + WAIT_MS;
  while (orphans.some((pid) => ownerOf(pid) !== null) && Date.now() < deadline) await sleep(5);
  return orphans.length;
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function ownerOf(pid: number): string | null {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    const entry = environment.split('\0').find((line) => line.startsWith(`${MARK}=`));
    return entry?.slice(MARK.length + 1) ?? null;
  } catch {
    return null;
  }
}

function isAlive(owner: string): boolean {
  const [pid = '', time] = owner.split('.');
  return startTime(Number(pid)) === time;
}

/** When a process started, in ticks since boot; null when there is none. */
function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything; the start time is the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function digest(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 16);
}
