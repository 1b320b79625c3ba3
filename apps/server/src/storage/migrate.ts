import { upgradeStorage } from '../compose/admin-storage.ts';
import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';

export interface MigrateOptions extends LoadConfigOptions {
  /** Change nothing. */
  readonly dryRun: boolean;
}

export interface MigrationReport {
  readonly database: 'sqlite' | 'postgres';
  readonly dry_run: boolean;
  /** The names of the pending migrations, in order. */
  readonly changes: readonly string[];
}

/**
 * Migrates the configured database, as every start does, or reports the pending migrations.
 *
 * @throws ConfigError
 * @throws StartError when it is of a newer version, in use by another process, or unreachable
 */
export async function migrate({ dryRun, ...options }: MigrateOptions): Promise<MigrationReport> {
  const config = loadConfig(options);
  const changes = await upgradeStorage(config, { dryRun });
  return { database: config.databaseUrl === null ? 'sqlite' : 'postgres', dry_run: dryRun, changes };
}
