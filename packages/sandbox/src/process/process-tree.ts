import { readdir, readFile } from 'node:fs/promises';

export interface TreeProcess {
  readonly pid: number;
  /** Resident anonymous memory in bytes, without files and shared memory. */
  readonly ownBytes: number;
  /** Mapped shared memory in bytes, which other processes may have mapped too. */
  readonly sharedBytes: number;
}

/** A process and its descendants. Inside a process namespace none can leave the tree: its first process adopts orphans. */
export async function processTree(rootPid: number): Promise<TreeProcess[]> {
  const children = new Map<number, number[]>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
    if (status === null) continue;
    // The name of the command is in parentheses and may contain any character, including parentheses.
    const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree: TreeProcess[] = [];
  const open = [rootPid];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
    tree.push({ pid, ownBytes: kilobytes('RssAnon') * 1_024, sharedBytes: kilobytes('RssShmem') * 1_024 });
    open.push(...(children.get(pid) ?? []));
  }
  return tree;
}

const TICK_MS = 10; // USER_HZ is 100 on every architecture that Node supports

/**
 * How long, in milliseconds, a process and its descendants were runnable: the processor time that they used, with that of
 * children that have ended, and the time that they waited for a processor. On a busy host a command of low priority works
 * hard and uses little.
 */
export async function runnableMs(rootPid: number): Promise<number> {
  let sum = 0;
  for (const { pid } of await processTree(rootPid)) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // utime, stime, cutime and cstime: fields 14 to 17, counted from the state, which is field 3 (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    for (const field of fields.slice(11, 15)) sum += Number(field) * TICK_MS;
    for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
      // Nanoseconds on a processor and waiting for one (Documentation/scheduler/sched-stats); some kernels have no such file.
      const waits = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '');
      sum += Number(waits.split(' ')[1] ?? 0) / 1e6;
    }
  }
  return sum;
}

/** Whether a process is running. A zombie is not: its resources are freed, and only its parent has not reaped it. */
export async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (status === null) return false;
  const state = status.charAt(status.lastIndexOf(')') + 2);
  return state !== 'Z' && state !== 'X';
}

/** Processes whose environment holds a mark, anywhere in the process tree. */
export async function processesMarked(mark: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '');
    if (environment.split('\0').includes(mark) && (await isRunning(Number(name)))) found.push(Number(name));
  }
  return found;
}
