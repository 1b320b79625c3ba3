import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';

/** Makes a folder for one demo, and removes those of the demos that have ended. */
export async function makeDemoFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  for (const name of await readdir(parent)) {
    // The name holds the process id: a demo may wait at its gate for a day.
    const pid = /^run-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await removeFolder(join(parent, name));
  }
  return await mkdtemp(join(parent, `run-${process.pid}-`));
}

/** Removes a folder of a demo. What cannot be removed now is left to the next demo, which removes the whole folder. */
export async function removeFolder(path: string): Promise<void> {
  try {
    // The service deletes working trees in a process of its own, which may still be at it: then this is tried again.
    await rm(path, { recursive: true, force: true, maxRetries: 10 });
  } catch (error) {
    // Another demo may be removing it too, or it belongs to another user: neither stops this demo.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY' && code !== 'EACCES' && code !== 'EPERM') throw error;
  }
}
