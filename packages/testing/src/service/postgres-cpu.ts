import { readdirSync, readFileSync } from 'node:fs';
import type { PostgresServer } from './postgres-server.ts';

const MS_PER_TICK = 10; // USER_HZ is 100 on every Linux that runs Node

/** The CPU time of a process in milliseconds, with that of its ended children; null when it has ended. */
function cpuMs(pid: number): { parent: number; ownMs: number; endedChildrenMs: number } | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The name in brackets may contain spaces, so fields are counted from behind it; see proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = (from: number) => Number(fields[from]) + Number(fields[from + 1]);
  return { parent: Number(fields[1]), ownMs: ticks(11) * MS_PER_TICK, endedChildrenMs: ticks(13) * MS_PER_TICK };
}

/**
 * Finds the processes of a Postgres server on this machine.
 *
 * @returns a clock: the CPU time of all of them so far, in milliseconds, in steps of 10 ms
 */
export async function postgresCpu(server: PostgresServer): Promise<() => number> {
  const [checkpointer] = await server.query("select pid from pg_stat_activity where backend_type = 'checkpointer'");
  const postmaster = cpuMs(Number(checkpointer?.pid))?.parent;
  if (postmaster === undefined) throw new Error('The processes of the Postgres server were not found.');
  return () => {
    const own = cpuMs(postmaster);
    if (own === null) throw new Error('The Postgres server has ended.');
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => cpuMs(Number(name)))
      .filter((found) => found?.parent === postmaster);
    return own.ownMs + own.endedChildrenMs + children.reduce((sum, found) => sum + (found?.ownMs ?? 0), 0);
  };
}
