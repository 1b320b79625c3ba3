import { openPostgres, openSqlite, type SqliteOptions, type Stores } from '@sluice/db';
import type { Config } from '../config/parse-config.ts';
import { toStartError } from './database-errors.ts';
import { quietQueue } from './quiet-queue.ts';

const applicationName = 'sluice-admin';

/**
 * The stores of an installation, for an administrative command. Opens the configured database and migrates it, as every
 * start of a server does.
 *
 * @param options `besideServer`: with SQLite, work beside a server that runs, and migrate nothing then
 * @throws StartError when it is in use by another process, unreachable, damaged, or of a newer version
 */
export async function openAdminStores(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'maxActivePipelinesPerUser'>>,
  options: Pick<SqliteOptions, 'onEvents' | 'besideServer'> = {},
): Promise<Stores> {
  const { databaseUrl: url, dataDir, maxActivePipelinesPerUser } = config;
  // A command that cancels issues frees slots, which are dispatched by the same rules as in a server.
  const { besideServer = false, ...listeners } = options;
  const common = { ...listeners, clock: { now: () => new Date() }, maxActivePipelinesPerUser };
  try {
    if (url === null) return await openSqlite({ ...common, dataDir, besideServer });
    return await openPostgres({ ...common, url, applicationName, queue: quietQueue({ url, applicationName }) });
  } catch (error) {
    throw toStartError(error);
  }
}
