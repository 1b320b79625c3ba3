import { copyStorage } from '../compose/admin-storage.ts';
import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import { ConfigError } from '../config/parse-config.ts';
import { postgresUrl } from '../config/variable.ts';
import { type FoundSecret, findSecrets } from '../keys/secrets.ts';

export interface MoveOptions extends LoadConfigOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE` */
  readonly url: string;
  /** Called for each table when its rows are written, and again when they are verified. */
  readonly onTable?: (table: { readonly name: string; readonly rows: number }, step: 'written' | 'verified') => void;
}

export interface MoveReport {
  readonly data_dir: string;
  /** Everything had been copied by an earlier run. */
  readonly already_there: boolean;
  /** Identical in both databases. */
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly hash: string }[];
  /** The secrets that every server on the new database needs. */
  readonly secrets: readonly FoundSecret[];
}

/**
 * Copies the embedded installation of the data folder to Postgres, verified, all of it or nothing.
 *
 * @throws ConfigError
 * @throws StartError when a server uses the folder, or the target is unreachable or holds other data
 */
export async function moveToPostgres({ url, onTable, overrides, ...options }: MoveOptions): Promise<MoveReport> {
  if (!postgresUrl.safeParse(url).success) {
    throw new ConfigError(['the target: is not postgres://USER:PASSWORD@HOST:PORT/DATABASE']);
  }
  // The source installation: variables that are already set for the new one do not apply to it.
  const config = loadConfig({ ...options, overrides: { ...overrides, DATABASE_URL: '', REDIS_URL: '', ROLE: '' } });
  const { dataDir } = config;
  findSecrets(config); // a damaged file is found before anything is copied
  const { tables, alreadyThere } = await copyStorage({ dataDir, url, ...(onTable && { onTable }) });
  return { data_dir: dataDir, already_there: alreadyThere, tables, secrets: findSecrets(config) };
}
