import { systemTimers } from '@sluice/core/async';
import { migratedDatabase } from '@sluice/db/scratch';
import {
  type PostgresDatabases,
  type PostgresServer,
  type RedisServer,
  sharedPostgres,
  sharedRedis,
  startPostgres,
  startRedisServer,
} from '@sluice/testing';
import { createGraphileDriver } from '@sluice/worker';

/** The services that several processes of ours share, and what a process needs to find them. */
export interface SharedServices extends AsyncDisposable {
  readonly postgres: PostgresDatabases;
  /**
   * The environment of one installation, over an empty database.
   *
   * @param isMigrated whether the database has its tables; left out: it has, where that takes less time
   */
  installation(options?: { readonly isMigrated?: boolean }): Promise<Record<string, string>>;
}

/** Services of one test file. */
export interface OwnServices extends SharedServices {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
}

/** Connects to the services of the test run: for files that leave them running and as they are. */
export async function sharedServices(): Promise<SharedServices> {
  const [postgres, redis] = await Promise.all([sharedPostgres(), sharedRedis()]);
  return {
    postgres,
    installation: async ({ isMigrated = true } = {}) => {
      const database = isMigrated ? await migratedDatabase(postgres, queueOf) : await postgres.createDatabase();
      return environmentOf(database, await redis.createDatabase());
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
    },
  };
}

/** Starts services for one file, which may stop or freeze them. @param connections how many Postgres takes; a process uses up to 30 */
export async function startSharedServices(connections?: number): Promise<OwnServices> {
  const [postgres, redis] = await Promise.all([
    startPostgres(connections === undefined ? {} : { connections }),
    startRedisServer(),
  ]);
  let installations = 0;
  return {
    postgres,
    redis,
    installation: async () => {
      installations += 1;
      // A numbered database of Redis for each, so that two installations' limits and signals do not meet.
      return environmentOf(await postgres.createDatabase(), `${redis.url}/${installations % 16}`);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
    },
  };
}

const queueOf = (url: string) =>
  createGraphileDriver({ url, applicationName: 'sluice-template', timers: systemTimers, log: quiet }).queue;

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

const environmentOf = (databaseUrl: string, redisUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  SESSION_SECRET: 'a secret of forty-eight characters, for tests only',
  ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
});
