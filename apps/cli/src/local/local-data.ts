import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasOwnDataDir, personalDataDir } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';

/** One data folder per repository, so that runs on different repositories do not wait for each other's database. */
export function dataDirFor(address: string): string {
  if (hasOwnDataDir()) return personalDataDir();
  const name = basename(address)
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 40);
  const digest = createHash('sha256').update(address).digest('hex').slice(0, 12);
  return join(runsFolder(), `${name}-${digest}`);
}

/** The data folders of all local runs, the one used last first. */
export async function localDataDirs(): Promise<string[]> {
  const folders = hasOwnDataDir() ? [personalDataDir()] : await foldersIn(runsFolder());
  const used = await Promise.all(folders.filter(hasIssues).map(async (path) => ({ path, at: await lastUse(path) })));
  return used.sort((a, b) => b.at - a.at).map(({ path }) => path);
}

/** Whether a local run has used the folder. A server's folder has no account file: its accounts belong to people. */
export function hasIssues(dataDir: string): boolean {
  return existsSync(join(dataDir, 'sluice.db')) && existsSync(accountFile(dataDir));
}

/** The file with the only account of a local run's folder. */
export function accountFile(dataDir: string): string {
  return join(dataDir, 'account.json');
}

/** Whether another process has a folder, and does not admit this one. Recognized by name: see `operatorErrors` of the program. */
export function isInUse(error: unknown): boolean {
  return error instanceof Error && error.name === 'StartError' && (error as { isInUse?: unknown }).isInUse === true;
}

/** The error of a folder that is in use, for people who did not choose the folder: they cannot choose another one. */
export function withAdvice(error: unknown): unknown {
  if (!isInUse(error) || hasOwnDataDir()) return error;
  const advice = 'Another command is using the data of this repository. Wait for it to end, then try again.';
  return new CommandError(exitCode.conflict, advice);
}

function runsFolder(): string {
  return join(personalDataDir(), 'run');
}

async function foldersIn(parent: string): Promise<string[]> {
  try {
    return (await readdir(parent)).map((name) => join(parent, name));
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new CommandError(exitCode.unexpected, `The folder of the local runs cannot be read (${code}): ${parent}`);
  }
}

async function lastUse(dataDir: string): Promise<number> {
  const { mtimeMs } = await stat(join(dataDir, 'sluice.db'));
  return mtimeMs;
}
