import { existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { freeSpaceOf } from '@sluice/core/workspace';
import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { lockInstance } from './instance-lock.ts';
import { refuseMoved } from './moved-mark.ts';
import { openWriter } from './sqlite-connections.ts';
import { sqliteRefusal } from './sqlite-refusal.ts';
import { syncFile, syncFolder } from './sync-to-disk.ts';
import { vacuumInto } from './vacuum-into.ts';

/** The size of the database file, in bytes. */
export interface VacuumReport {
  readonly before: number;
  readonly after: number;
}

const MIB = 1024 ** 2;

/**
 * Rewrites the database of a data folder without its free pages, so that from then on it gives them back by itself. It is
 * written to a new file, which one rename puts in place: a process that dies before leaves the database as it was.
 *
 * @throws DatabaseRefusal when another process uses it, there is none, or the disk has no room for the new file
 */
export function vacuumSqlite(dataDir: string, freeBytes: () => number = () => freeBytesOf(dataDir)): VacuumReport {
  const file = join(dataDir, 'sluice.db');
  if (!existsSync(file)) {
    throw new DatabaseRefusal('unreachable', 'There is no embedded database in the data folder: check DATA_DIR.');
  }
  try {
    const lock = lockInstance(dataDir);
    try {
      refuseMoved(dataDir);
      return vacuum(file, freeBytes);
    } finally {
      lock.release();
    }
  } catch (error) {
    throw sqliteRefusal(error);
  }
}

/** The new file before it is put in place. One that a killed process has left takes up to as much space again. */
export function rewrittenOf(file: string): string {
  return `${file}.vacuum`;
}

function vacuum(file: string, freeBytes: () => number): VacuumReport {
  const rewritten = rewrittenOf(file);
  const log = `${file}-wal`;
  rmSync(rewritten, { force: true }); // of a process that died
  const writer = openWriter(file);
  try {
    writer.pragma('wal_checkpoint(TRUNCATE)');
    refuseWithoutRoom(writer.pragma('page_size', { simple: true }) as number, {
      pages: usedPages(writer),
      free: freeBytes(),
    });
    vacuumInto(writer, rewritten);
  } finally {
    writer.close();
  }
  const before = statSync(file).size;
  // The last connection removes it. Beside the new file it would be taken for that one's.
  if (existsSync(log)) {
    rmSync(rewritten);
    throw new DatabaseRefusal('in_use', 'Another program has sluice.db open: close it, and run this again.');
  }
  syncFile(rewritten);
  const after = statSync(rewritten).size;
  renameSync(rewritten, file);
  syncFolder(join(file, '..'));
  return { before, after };
}

function usedPages(writer: ReturnType<typeof openWriter>): number {
  const figure = (name: string) => writer.pragma(name, { simple: true }) as number;
  return figure('page_count') - figure('freelist_count');
}

function refuseWithoutRoom(pageSize: number, { pages, free }: { pages: number; free: number }): void {
  const needed = pages * pageSize;
  if (free >= needed) return;
  const mib = (bytes: number) => `${Math.ceil(bytes / MIB)} MiB`;
  throw new DatabaseRefusal(
    'unreachable',
    `The database is rewritten beside the old one, which needs ${mib(needed)}, and the disk of the data folder has ${mib(free)} left. Nothing was changed. Free some space and run this again.`,
  );
}

function freeBytesOf(folder: string): number {
  return freeSpaceOf(statfsSync(folder)).free;
}
