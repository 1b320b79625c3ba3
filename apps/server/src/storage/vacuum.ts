import { vacuumStorage } from '../compose/admin-storage.ts';
import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import { ConfigError } from '../config/parse-config.ts';

export interface VacuumReport {
  readonly data_dir: string;
  readonly bytes_before: number;
  readonly bytes_after: number;
}

/**
 * Rewrites the embedded database without its free space. No server may use the data folder.
 *
 * @throws ConfigError also if the database is Postgres, which does this by itself
 * @throws StartError when a process uses the folder, there is no database, or the disk has no room for the new file
 */
export async function vacuum(options: LoadConfigOptions = {}): Promise<VacuumReport> {
  const { databaseUrl, dataDir } = loadConfig(options);
  if (databaseUrl !== null) {
    throw new ConfigError([
      'DATABASE_URL: the database is Postgres, which reuses the space of deleted rows by itself (autovacuum); this command is for the embedded database',
    ]);
  }
  const { before, after } = vacuumStorage(dataDir);
  return { data_dir: dataDir, bytes_before: before, bytes_after: after };
}
