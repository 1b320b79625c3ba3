import { readdir, readFile } from 'node:fs/promises';

const closeOnExec = 0o2000000;

/**
 * File descriptors that every child process inherits: those beyond the first three that the service itself was started with,
 * by a shell or a supervisor. Node closes its own at exec but not these, and a command could write to them.
 */
export async function inheritedDescriptors(): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc/self/fd').catch(() => [])) {
    if (Number(name) < 3) continue;
    const info = await readFile(`/proc/self/fdinfo/${name}`, 'utf8').catch(() => '');
    const flags = /^flags:\s*([0-7]+)$/m.exec(info)?.[1];
    if (flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0) found.push(Number(name));
  }
  return found;
}
