import { DatabaseRefusal, openPostgres, openSqlite, type StoreListeners, type Stores } from '@sluice/db';
import type { Config } from '../config/parse-config.ts';
import { StartError } from '../process/start-error.ts';
import { quietQueue } from './quiet-queue.ts';

const applicationName = 'sluice-admin';

/**
 * The stores of an installation, for a command of the operator's that does nothing else. Opens the database that is
 * configured and brings it up to date, as every start of a server does.
 *
 * @throws StartError when it is in use by another process, unreachable, damaged, or of a newer version
 */
export async function openAdminStores(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'maxActivePipelinesPerUser'>>,
  listeners: Pick<StoreListeners, 'onEvents'> = {},
): Promise<Stores> {
  const { databaseUrl: url, dataDir, maxActivePipelinesPerUser } = config;
  // A command that cancels issues frees slots, and then starts others by the same rules as a server.
  const common = { ...listeners, clock: { now: () => new Date() }, maxActivePipelinesPerUser };
  try {
    if (url === null) return await openSqlite({ ...common, dataDir });
    return await openPostgres({ ...common, url, applicationName, queue: quietQueue({ url, applicationName }) });
  } catch (error) {
    throw error instanceof DatabaseRefusal ? new StartError(error.message, { cause: error }) : error;
  }
}
