import { upgradeDatabase } from '@sluice/db';
import type { Config } from '../config/parse-config.ts';
import { toStartError } from './database-errors.ts';
import { quietQueue } from './quiet-queue.ts';

/**
 * Migrates the configured database, or lists the pending migrations.
 *
 * @throws StartError when it is of a newer version, in use by another process, or unreachable
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
    throw toStartError(error);
  }
}
