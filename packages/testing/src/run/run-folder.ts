import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variable that passes the folder to the workers. */
export const RUN_FOLDER = 'SLUICE_TEST_RUN';
/** The variable that passes the folder of the databases to the workers. */
export const DATABASE_FOLDER = 'SLUICE_TEST_DATABASES';

const MEMORY = '/dev/shm';
const PREFIX = 'sluice-test-run-';
const MIN_ROOM_BYTES = 2 * 1024 ** 3; // a container often has 64 MiB there, which a few databases fill
const ABANDONED_MS = 3_600_000;

/** Vitest's global set-up: creates the folders that all test files of the run share, and deletes them at the end. */
export function setup(): () => void {
  if (process.env[RUN_FOLDER] !== undefined) return () => undefined; // another project of this run has created it
  for (const place of [tmpdir(), MEMORY]) removeAbandoned(place);
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o1777); // as the folder above it: Postgres, sandboxes and services of other users put files there
  const databases = createDatabaseFolder(folder);
  process.env[RUN_FOLDER] = folder;
  process.env[DATABASE_FOLDER] = databases;
  // The configuration of whoever runs the tests must not reach them: it may name a model that costs money.
  process.env.XDG_CONFIG_HOME = join(folder, 'no-config');
  // What a test leaves behind goes with the run, also when a test or its process was killed.
  process.env.TMPDIR = folder;
  // Processes that load the same sources strip and compile them once in a run.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compile-cache');
  const remove = () => {
    for (const made of [databases, folder]) rmSync(made, { recursive: true, force: true });
  };
  return () => {
    remove();
    process.once('exit', remove); // workers that end after this write what they have compiled
  };
}

/** The folder of the tests' databases: in memory if there is room, because a flush costs nothing there. */
export function databaseFolder(): string {
  return process.env[DATABASE_FOLDER] ?? tmpdir(); // not set outside a test run
}

function createDatabaseFolder(runFolder: string): string {
  if (!hasRoomInMemory()) return runFolder;
  const folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o1777); // as the folder above it: Postgres, sandboxes and services of other users put files there
  return folder;
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MIN_ROOM_BYTES;
  } catch {
    return false; // another system than Linux
  }
}

/** A killed run leaves its folders behind. A Postgres server ends soon after its folder is gone. */
function removeAbandoned(place: string): void {
  for (const name of foldersOfRuns(place)) {
    const folder = join(place, name);
    const pid = Number(name.slice(PREFIX.length).split('-')[0]);
    const changedAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    // A container may share this memory and not the process ids.
    if (!isRunning(pid) && Date.now() - changedAt > ABANDONED_MS) rmSync(folder, { recursive: true, force: true });
  }
}

function foldersOfRuns(place: string): string[] {
  try {
    return readdirSync(place).filter((name) => name.startsWith(PREFIX));
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // another user's
  }
}
