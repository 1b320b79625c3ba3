import type { SealedSecretStore } from '@sluice/core';
import { DatabaseRefusal, openPostgres, openSqlite } from '@sluice/db';
import type { Config } from '../config/parse-config.ts';
import { StartError } from '../start-error.ts';
import { quietQueue } from './quiet-queue.ts';

/** The sealed secrets of an installation, for a command that does nothing else. */
export interface OpenSealedSecrets extends AsyncDisposable {
  readonly store: SealedSecretStore;
}

const applicationName = 'sluice-rotate-keys';

/**
 * Opens the database that is configured, brought up to date, as every start of a server does.
 *
 * @throws StartError when it is in use by another process, unreachable, damaged, or of a newer version
 */
export async function openSealedSecrets({
  databaseUrl: url,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<OpenSealedSecrets> {
  const clock = { now: () => new Date() };
  try {
    const stores =
      url === null
        ? await openSqlite({ dataDir, clock })
        : await openPostgres({ url, applicationName, clock, queue: quietQueue({ url, applicationName }) });
    return { store: stores.sealedSecrets, [Symbol.asyncDispose]: () => stores.close() };
  } catch (error) {
    throw error instanceof DatabaseRefusal ? new StartError(error.message, { cause: error }) : error;
  }
}
