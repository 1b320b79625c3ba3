import { countAccounts } from '@sluice/db';
import type { Config } from '../config/parse-config.ts';

/** How many accounts the configured installation has; null where that cannot be found out. Servers may run meanwhile. */
export function accountsOf({
  databaseUrl: url,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<number | null> {
  return countAccounts(url === null ? { dataDir } : { url, applicationName: 'sluice-doctor' });
}
