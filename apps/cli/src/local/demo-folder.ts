import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const RETENTION_MS = 24 * 60 * 60 * 1_000; // long enough to inspect the branch, short enough not to pile up

/** Makes a folder for one demo, and removes those of ended demos that are older than a day. */
export async function makeDemoFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    // The name holds the process id: a running demo may wait at its gate for longer than a day.
    const pid = /^run-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await removeIfOld(join(parent, name));
  }
  return await mkdtemp(join(parent, `run-${process.pid}-`));
}

async function removeIfOld(path: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > RETENTION_MS) await rm(path, { recursive: true, force: true });
  } catch (error) {
    // Another demo may have removed it first, or it belongs to another user: neither stops this demo.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY' && code !== 'EACCES' && code !== 'EPERM') throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
