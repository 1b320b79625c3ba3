import { openPostgres, openSqlite, type StoreListeners, type Stores } from '@sluice/db';
import type { Config } from '../config/parse-config.ts';
import { toStartError } from './database-errors.ts';
import { quietQueue } from './quiet-queue.ts';

const applicationName = 'sluice-admin';

/**
 * The stores of an installation, for an administrative command. Opens the configured database and migrates it, as every
 * start of a server does.
 *
 * @throws StartError when it is in use by another process, unreachable, damaged, or of a newer version
 */
export async function openAdminStores(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'maxActivePipelinesPerUser'>>,
  listeners: Pick<StoreListeners, 'onEvents'> = {},
): Promise<Stores> {
  const { databaseUrl: url, dataDir, maxActivePipelinesPerUser } = config;
  // A command that cancels issues frees slots, which are dispatched by the same rules as in a server.
  const common = { ...listeners, clock: { now: () => new Date() }, maxActivePipelinesPerUser };
  try {
    if (url === null) return await openSqlite({ ...common, dataDir });
    return await openPostgres({ ...common, url, applicationName, queue: quietQueue({ url, applicationName }) });
  } catch (error) {
    throw toStartError(error);
  }
}
