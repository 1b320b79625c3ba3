import { DatabaseRefusal, upgradeDatabase } from '@sluice/db';
import type { Config } from '../config/parse-config.ts';
import { StartError } from '../process/start-error.ts';
import { quietQueue } from './quiet-queue.ts';

/**
 * Brings the configured database up to date, or lists what that would change.
 *
 * @throws StartError when a newer version wrote it, another process has it, or it cannot be reached
 */
export async function upgradeStorage(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  options: { readonly dryRun: boolean },
): Promise<readonly string[]> {
  try {
    if (databaseUrl === null) return await upgradeDatabase({ dataDir }, options);
    const target = { url: databaseUrl, applicationName: 'sluice-migrate' };
    return await upgradeDatabase({ ...target, queue: quietQueue(target) }, options);
  } catch (error) {
    throw error instanceof DatabaseRefusal ? new StartError(error.message, { cause: error }) : error;
  }
}
