import { copyStorage } from '../compose/copy-storage.ts';
import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import { ConfigError } from '../config/parse-config.ts';
import { postgresUrl } from '../config/variable.ts';
import { type FoundSecret, findSecrets } from '../keys/secrets.ts';

export interface MoveOptions extends LoadConfigOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE` */
  readonly url: string;
  /** Told of each table when its rows are written, and when they were read back and are the same. */
  readonly onTable?: (table: { readonly name: string; readonly rows: number }, step: 'written' | 'verified') => void;
}

export interface MoveReport {
  readonly data_dir: string;
  /** All of it was there from an earlier run. */
  readonly already_there: boolean;
  /** The same on both sides. */
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly hash: string }[];
  /** What every server on the new database must be given. */
  readonly secrets: readonly FoundSecret[];
}

/**
 * Copies the embedded installation of the data folder to Postgres, verified, all of it or nothing.
 *
 * @throws ConfigError
 * @throws StartError when a server runs on the folder, or the target cannot be reached or holds something else
 */
export async function moveToPostgres({ url, onTable, overrides, ...options }: MoveOptions): Promise<MoveReport> {
  if (!postgresUrl.safeParse(url).success) {
    throw new ConfigError(['the target: is not postgres://USER:PASSWORD@HOST:PORT/DATABASE']);
  }
  // The installation that is left: what is set for the new one already does not count for it.
  const config = loadConfig({ ...options, overrides: { ...overrides, DATABASE_URL: '', REDIS_URL: '', ROLE: '' } });
  const { dataDir } = config;
  findSecrets(config); // a damaged file is found before anything is copied
  const { tables, alreadyThere } = await copyStorage({ dataDir, url, ...(onTable && { onTable }) });
  return { data_dir: dataDir, already_there: alreadyThere, tables, secrets: findSecrets(config) };
}
