import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pendingMigrations, readMigrations } from '../engine/migrations.ts';
import { lockInstance } from './instance-lock.ts';
import { appliedTo, migrateSqlite } from './migrate-sqlite.ts';
import { openReader, openWriter } from './sqlite-connections.ts';
import { sqliteRefusal } from './sqlite-refusal.ts';

/** Migrates the database of a data folder under its lock. @returns the names of the applied migrations */
export function upgradeSqlite(dataDir: string): readonly string[] {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const lock = lockInstance(dataDir);
    try {
      const writer = openWriter(join(dataDir, 'sluice.db'));
      try {
        return migrateSqlite(writer, readMigrations('sqlite'));
      } finally {
        writer.close();
      }
    } finally {
      lock.release();
    }
  } catch (error) {
    throw sqliteRefusal(error);
  }
}

/** The pending migrations of a data folder; changes nothing, and may run beside a server. */
export function pendingOnSqlite(dataDir: string): readonly string[] {
  const known = readMigrations('sqlite');
  const file = join(dataDir, 'sluice.db');
  if (!existsSync(file)) return known.map(({ name }) => name);
  try {
    const reader = openReader(file);
    try {
      return pendingMigrations(known, appliedTo(reader)).map(({ name }) => name);
    } finally {
      reader.close();
    }
  } catch (error) {
    throw sqliteRefusal(error);
  }
}
