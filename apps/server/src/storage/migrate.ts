import { upgradeStorage } from '../compose/upgrade-storage.ts';
import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';

export interface MigrateOptions extends LoadConfigOptions {
  /** Change nothing. */
  readonly dryRun: boolean;
}

export interface MigrationReport {
  readonly database: 'sqlite' | 'postgres';
  readonly dry_run: boolean;
  /** The names of the changes that the database lacked, in order. */
  readonly changes: readonly string[];
}

/**
 * Brings the configured database up to date, as every start does, or says what that would change.
 *
 * @throws ConfigError
 * @throws StartError when a newer version wrote it, another process has it, or it cannot be reached
 */
export async function migrate({ dryRun, ...options }: MigrateOptions): Promise<MigrationReport> {
  const config = loadConfig(options);
  const changes = await upgradeStorage(config, { dryRun });
  return { database: config.databaseUrl === null ? 'sqlite' : 'postgres', dry_run: dryRun, changes };
}
