import { type CopyOptions, type CopyReport, copyToPostgres, DatabaseRefusal } from '@sluice/db';
import { StartError } from '../process/start-error.ts';
import { quietQueue } from './quiet-queue.ts';

const applicationName = 'sluice-migrate-to';

/**
 * Copies the embedded database of a data folder to Postgres.
 *
 * @throws StartError when it cannot; then nothing of it is there
 */
export async function copyStorage(options: Pick<CopyOptions, 'dataDir' | 'url' | 'onTable'>): Promise<CopyReport> {
  try {
    const queue = quietQueue({ url: options.url, applicationName });
    return await copyToPostgres({ ...options, applicationName, queue });
  } catch (error) {
    throw error instanceof DatabaseRefusal ? new StartError(error.message, { cause: error }) : error;
  }
}
