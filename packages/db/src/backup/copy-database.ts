import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { pendingMigrations, readMigrations } from '../engine/migrations.ts';
import { finishUnderLock, isRestorePending } from '../sqlite/instance-lock.ts';
import { appliedTo } from '../sqlite/migrate-sqlite.ts';
import { refuseMoved } from '../sqlite/moved-mark.ts';
import { openReader } from '../sqlite/sqlite-connections.ts';
import { sqliteRefusal } from '../sqlite/sqlite-refusal.ts';
import { type DatabaseCopy, inspectCopy } from './inspect-copy.ts';

/**
 * Copies the database of a data folder into a new file, as of one instant; the service may keep running and writing.
 * Uses `vacuum into`, which is one read. SQLite's backup API restarts whenever another process writes, so it might
 * never finish.
 *
 * @throws DatabaseRefusal when there is no database, or it is damaged, of a newer version, or has moved to Postgres
 */
export function copyDatabase(dataDir: string, target: string): DatabaseCopy {
  const file = join(dataDir, 'sluice.db');
  try {
    if (isRestorePending(dataDir)) finishUnderLock(dataDir);
    if (!existsSync(file)) {
      throw new DatabaseRefusal(
        'unreachable',
        'There is no embedded database in the data folder: set DATA_DIR to the folder of the installation.',
      );
    }
    refuseMoved(dataDir);
    const { ino } = statSync(file);
    const reader = openReader(file);
    try {
      pendingMigrations(readMigrations('sqlite'), appliedTo(reader)); // of a newer version it would not know what to keep
      reader.prepare('vacuum into ?').run(target);
      chmodSync(target, 0o600);
    } finally {
      reader.close();
    }
    if (statSync(file).ino !== ino) {
      throw new DatabaseRefusal('in_use', 'The database was replaced while it was copied: start again.');
    }
    return inspectCopy(target);
  } catch (error) {
    throw sqliteRefusal(error);
  }
}
