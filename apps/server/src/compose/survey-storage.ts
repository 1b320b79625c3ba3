import { type InstallationSurvey, surveyInstallation } from '@sluice/db';
import type { Config } from '../config/parse-config.ts';

/** Figures about the configured installation; null if it cannot be read. Servers may run meanwhile. */
export function surveyStorage({
  databaseUrl: url,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<InstallationSurvey | null> {
  return surveyInstallation(url === null ? { dataDir } : { url, applicationName: 'sluice-doctor' }, new Date());
}
