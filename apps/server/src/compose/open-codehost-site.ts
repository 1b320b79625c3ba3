import type { CodeHostSiteStore, UserStore } from '@sluice/core';
import { DatabaseRefusal, openPostgres, openSqlite } from '@sluice/db';
import type { Config } from '../config/parse-config.ts';
import { StartError } from '../start-error.ts';
import { quietQueue } from './quiet-queue.ts';

/** Which code host an installation is of, for a command that does nothing else. */
export interface OpenCodeHostSite extends AsyncDisposable {
  readonly site: CodeHostSiteStore;
  readonly users: UserStore;
}

const applicationName = 'sluice-admin';

/**
 * Opens the database that is configured, brought up to date, as every start of a server does.
 *
 * @throws StartError when it is in use by another process, unreachable, damaged, or of a newer version
 */
export async function openCodeHostSite({
  databaseUrl: url,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<OpenCodeHostSite> {
  const clock = { now: () => new Date() };
  try {
    const stores =
      url === null
        ? await openSqlite({ dataDir, clock })
        : await openPostgres({ url, applicationName, clock, queue: quietQueue({ url, applicationName }) });
    return { site: stores.codehostSite, users: stores.users, [Symbol.asyncDispose]: () => stores.close() };
  } catch (error) {
    throw error instanceof DatabaseRefusal ? new StartError(error.message, { cause: error }) : error;
  }
}
