import { type OpenOptions, openPostgres, openSqlite, type Stores } from '@sluice/db';

/** Opens the stores of a place that outlives its process: a data folder, or the URL of a Postgres database. */
export function openStoresAt(place: string, options: OpenOptions): Promise<Stores> {
  if (!place.startsWith('postgres:')) return openSqlite({ ...options, dataDir: place });
  return openPostgres({ ...options, url: place, applicationName: 'sluice-test' });
}
