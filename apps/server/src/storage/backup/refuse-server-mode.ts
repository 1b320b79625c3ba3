import { type Config, ConfigError } from '../../config/parse-config.ts';

/**
 * Refuses to back up or restore a Postgres database.
 *
 * @throws ConfigError if the database is Postgres: its own tools back it up consistently while it is in use
 */
export function refuseServerMode({ databaseUrl }: Pick<Config, 'databaseUrl'>, tool: 'pg_dump' | 'pg_restore'): void {
  if (databaseUrl === null) return;
  const advice =
    tool === 'pg_dump'
      ? 'save it with "pg_dump --format=custom --file=sluice.dump", and keep SESSION_SECRET and ENCRYPTION_KEYS beside it: without the keys, stored tokens cannot be decrypted'
      : 'stop the servers, restore into an empty database with "pg_restore --dbname=sluice sluice.dump", and start them with the ENCRYPTION_KEYS of the backup';
  throw new ConfigError([`DATABASE_URL: the database is Postgres, which this command does not support; ${advice}`]);
}
