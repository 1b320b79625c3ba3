import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const KEPT_MS = 24 * 60 * 60 * 1_000; // long enough to look at the branch, short enough not to pile up

/** A new folder for one demonstration; those of earlier ones that are a day old and over are removed. */
export async function makeDemoFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    // Its process is in the name: a demonstration may wait at its gate for longer than a day.
    const pid = /^run-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await removeWhenOld(join(parent, name));
  }
  return await mkdtemp(join(parent, `run-${process.pid}-`));
}

async function removeWhenOld(path: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true });
  } catch (error) {
    // Another one that sweeps may be faster, and what belongs to another user is his: neither stops a demonstration.
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
