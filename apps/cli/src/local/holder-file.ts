import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { isAlive } from './is-alive.ts';

/** Where the process that works on a data folder listens. */
export interface Holder {
  readonly url: string;
  readonly pid: number;
}

const holderSchema = z.object({ url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d+$/), pid: z.int().positive() });

const fileIn = (dataDir: string) => join(dataDir, 'holder.json');

/** Lets other commands find this process. Only for the process that has the lock of the folder. */
export async function announceHolder(dataDir: string, url: string): Promise<void> {
  const temporary = `${fileIn(dataDir)}.${randomUUID()}`;
  await writeFile(temporary, JSON.stringify({ url, pid: process.pid }), { mode: 0o600 });
  await rename(temporary, fileIn(dataDir));
}

/** Removes what this process, or one that was killed, has announced. Only for the process that has the lock. */
export async function forgetHolder(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true });
}

/** Null if no process has announced itself, or the one that did is gone. */
export async function readHolder(dataDir: string): Promise<Holder | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const holder = holderSchema.safeParse(parsed(text));
  return holder.success && isAlive(holder.data.pid) ? holder.data : null;
}

const SUCCESSOR = 'successor-';
const successorFile = (dataDir: string, pid: number) => join(dataDir, `${SUCCESSOR}${pid}`);

/** Lets the process that works on a data folder know that this one takes it over. */
export async function announceSuccessor(dataDir: string): Promise<void> {
  await writeFile(successorFile(dataDir, process.pid), '', { mode: 0o600 });
}

/** Removes what this process has announced. */
export async function forgetSuccessor(dataDir: string): Promise<void> {
  await rm(successorFile(dataDir, process.pid), { force: true });
}

/** Whether a process waits to take the folder over. The files of those that were killed are removed. */
export async function hasSuccessor(dataDir: string): Promise<boolean> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(SUCCESSOR));
  const pids = names.map((name) => Number(name.slice(SUCCESSOR.length)));
  const gone = pids.filter((pid) => !isAlive(pid));
  for (const pid of gone) await rm(successorFile(dataDir, pid), { force: true });
  return pids.length > gone.length;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
