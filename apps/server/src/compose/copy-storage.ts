import { type CopyOptions, type CopyReport, copyToPostgres } from '@sluice/db';
import { toStartError } from './database-errors.ts';
import { quietQueue } from './quiet-queue.ts';

const applicationName = 'sluice-migrate-to';

/**
 * Copies the embedded database of a data folder to Postgres.
 *
 * @throws StartError on failure; the target is then unchanged
 */
export async function copyStorage(options: Pick<CopyOptions, 'dataDir' | 'url' | 'onTable'>): Promise<CopyReport> {
  try {
    const queue = quietQueue({ url: options.url, applicationName });
    return await copyToPostgres({ ...options, applicationName, queue });
  } catch (error) {
    throw toStartError(error);
  }
}
