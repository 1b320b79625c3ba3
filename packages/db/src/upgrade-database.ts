import { readMigrations } from './engine/migrations.ts';
import { migratePg, pendingOnPg } from './pg/migrate-pg.ts';
import type { PgOptions } from './pg/open-pg-database.ts';
import { connectionOf } from './pg/pg-connection.ts';
import { pgRefusal } from './pg/pg-refusal.ts';
import { pendingOnSqlite, upgradeSqlite } from './sqlite/upgrade-sqlite.ts';

/** The database of a data folder, or one on Postgres. */
export type UpgradeTarget =
  | { readonly dataDir: string }
  | (Pick<PgOptions, 'url' | 'applicationName' | 'queue'> & { readonly waitMs?: number });

/**
 * Migrates a database, or lists what a migration would do.
 *
 * @returns the names of the pending migrations, in order
 * @throws DatabaseRefusal when a newer version wrote it, another process uses it, or it cannot be reached
 */
export async function upgradeDatabase(
  target: UpgradeTarget,
  { dryRun }: { dryRun: boolean },
): Promise<readonly string[]> {
  if ('dataDir' in target) return dryRun ? pendingOnSqlite(target.dataDir) : upgradeSqlite(target.dataDir);
  const connection = connectionOf(target);
  const known = readMigrations('pg');
  try {
    if (dryRun) return await pendingOnPg(connection, known);
    return await migratePg({ connection, known, alongside: target.queue?.migrate, waitMs: target.waitMs });
  } catch (error) {
    throw pgRefusal(error);
  }
}
