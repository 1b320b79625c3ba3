import { type PostgresServer, type RedisServer, startPostgres, startRedisServer } from '@sluice/testing';

/** The services that several processes of ours share, and what a process needs to find them. */
export interface SharedServices extends AsyncDisposable {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  /** The environment of one installation, over an empty database. */
  installation(): Promise<Record<string, string>>;
}

/** @param connections how many Postgres takes; a process uses up to 30 */
export async function startSharedServices(connections?: number): Promise<SharedServices> {
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
      return {
        DATABASE_URL: await postgres.createDatabase(),
        // A numbered database of Redis for each, so that two installations' limits and signals do not meet.
        REDIS_URL: `${redis.url}/${installations % 16}`,
        SESSION_SECRET: 'a secret of forty-eight characters, for tests only',
        ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      };
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
    },
  };
}
