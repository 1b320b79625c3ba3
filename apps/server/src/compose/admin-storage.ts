import {
  type CopyOptions,
  type CopyReport,
  copyToPostgres,
  type InstallationSurvey,
  surveyInstallation,
  upgradeDatabase,
  type VacuumReport,
  vacuumSqlite,
} from '@sluice/db';
import { countUntakenJobs } from '@sluice/worker';
import type { Config } from '../config/parse-config.ts';
import { toStartError } from './database-errors.ts';
import { quietQueue } from './quiet-queue.ts';

export type { InstallationSurvey };

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

/**
 * Copies the embedded database of a data folder to Postgres.
 *
 * @throws StartError on failure; the target is then unchanged
 */
export async function copyStorage(options: Pick<CopyOptions, 'dataDir' | 'url' | 'onTable'>): Promise<CopyReport> {
  const applicationName = 'sluice-migrate-to';
  try {
    const queue = quietQueue({ url: options.url, applicationName });
    return await copyToPostgres({ ...options, applicationName, queue });
  } catch (error) {
    throw toStartError(error);
  }
}

/** Rewrites the database of a data folder without its free pages. @throws StartError */
export function vacuumStorage(dataDir: string): VacuumReport {
  try {
    return vacuumSqlite(dataDir);
  } catch (error) {
    throw toStartError(error);
  }
}

/** Figures about the configured installation; null if it cannot be read. Servers may run meanwhile. */
export function surveyStorage({
  databaseUrl: url,
  dataDir,
  codehost,
}: Pick<Config, 'databaseUrl' | 'dataDir' | 'codehost'>): Promise<InstallationSurvey | null> {
  return surveyInstallation(url === null ? { dataDir } : { url, applicationName: 'sluice-doctor' }, {
    now: new Date(),
    codehost: codehost?.url ?? null,
  });
}

/** The jobs of the configured queue that no worker takes; null where there is no queue or it cannot be read. */
export async function surveyQueue({ databaseUrl: url }: Pick<Config, 'databaseUrl'>): Promise<number | null> {
  if (url === null) return null;
  return await countUntakenJobs({ url, applicationName: 'sluice-doctor' }).catch(() => null);
}
