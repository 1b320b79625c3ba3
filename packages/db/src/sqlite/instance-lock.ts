import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { finishRestore, restoreFolder } from './finish-restore.ts';

/** The lock of a data folder. */
export interface InstanceLock {
  /**
   * Lets commands open the folder beside this process, from when its database is as they expect it. Without this, none
   * works on the folder until `release`.
   */
  admitCommands(): void;
  release(): void;
}

// What a start waits for a command to end, and a command for a start to migrate: both take moments.
const COMMAND_WAIT_MS = 10_000;
// What a start waits for a command that opens the folder alone, or looks whether it can: milliseconds, unless it migrates.
const OPENING_WAIT_MS = 1_000;

/**
 * Locks the data folder for this process until `release`. It is a SQLite lock on a separate file: the kernel drops it
 * with the process, so a kill leaves nothing to clean up. A second file holds the commands beside a server, which share it.
 * A restore that was decided and not finished is finished here, before any file of the folder is read.
 *
 * @param commandWaitMs how long to wait for commands to end
 * @throws DatabaseRefusal `in_use` when this or another process holds it: after a second for a server, and after
 * `commandWaitMs` for a command
 */
export function lockInstance(dataDir: string, commandWaitMs = COMMAND_WAIT_MS): InstanceLock {
  const openingWaitMs = Math.min(OPENING_WAIT_MS, commandWaitMs);
  const instance = hold(dataDir, { file: 'lock.db', timeoutMs: openingWaitMs, sql: 'begin exclusive' }, IN_USE);
  try {
    const commands = hold(
      dataDir,
      { file: COMMANDS, timeoutMs: commandWaitMs, sql: 'begin exclusive' },
      COMMAND_AT_WORK,
    );
    try {
      if (isRestorePending(dataDir)) finishRestore(dataDir);
    } catch (error) {
      commands.close();
      throw error;
    }
    return {
      admitCommands: () => void commands.close(),
      release: () => {
        commands.close();
        instance.close();
      },
    };
  } catch (error) {
    instance.close();
    throw error;
  }
}

/**
 * Lets this process work beside a server of the folder, until `release`. Nothing that replaces the database, or changes its
 * schema, runs meanwhile.
 *
 * @throws DatabaseRefusal `in_use` when the folder's process admits no commands
 */
export function joinInstance(dataDir: string, timeoutMs = COMMAND_WAIT_MS): { release(): void } {
  // A read takes the lock that readers share.
  const sql = 'begin; select count(*) from sqlite_schema';
  const commands = hold(dataDir, { file: COMMANDS, timeoutMs, sql }, IN_USE);
  return { release: () => void commands.close() };
}

/**
 * The lock of a command that can work beside a server: alone while it opens the folder and no server runs, and beside one from
 * `admitCommands` on. A server that starts meanwhile waits for the command to end, instead of being refused at once.
 *
 * @returns also whether no server runs: then the command migrates the database
 * @throws DatabaseRefusal `in_use` when the folder's process admits no commands
 */
export function lockForCommand(dataDir: string): InstanceLock & { readonly isAlone: boolean } {
  let alone: InstanceLock;
  try {
    alone = lockInstance(dataDir, 0);
  } catch (error) {
    if (!(error instanceof DatabaseRefusal) || error.reason !== 'in_use') throw error;
    return { ...joinInstance(dataDir), admitCommands: () => {}, isAlone: false };
  }
  let held: Pick<InstanceLock, 'release'> = alone;
  return {
    isAlone: true,
    admitCommands: () => {
      alone.admitCommands();
      held = joinInstance(dataDir);
      alone.release();
    },
    release: () => held.release(),
  };
}

const COMMANDS = 'commands.db';
const IN_USE = 'Another Sluice process uses this data folder: stop it, or set DATA_DIR to another folder.';
const COMMAND_AT_WORK = 'A command of the operator is at work in this data folder: wait until it has ended.';

/** @throws DatabaseRefusal `in_use` with the given sentence */
function hold(
  dataDir: string,
  { file, timeoutMs, sql }: { file: string; timeoutMs: number; sql: string },
  refusal: string,
): Sqlite.Database {
  const lock = new Sqlite(join(dataDir, file), { timeout: timeoutMs });
  try {
    lock.exec(sql);
    return lock;
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DatabaseRefusal('in_use', refusal, { cause: error });
  }
}

/** Whether a restore was decided and not finished. */
export function isRestorePending(dataDir: string): boolean {
  return existsSync(restoreFolder(dataDir));
}

/** Finishes a restore for callers that need no lock themselves. @throws DatabaseRefusal `in_use` */
export function finishUnderLock(dataDir: string): void {
  lockInstance(dataDir).release();
}

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
