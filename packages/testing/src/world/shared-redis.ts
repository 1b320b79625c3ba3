import { Redis } from 'ioredis';
import { startRedisServer } from '../service/redis-server.ts';
import { runService } from './run-services.ts';

/** Numbered databases of a Redis server. */
export interface RedisDatabases extends AsyncDisposable {
  /** The address of an empty database that nothing else uses. */
  createDatabase(): Promise<string>;
}

/** Databases on the Redis server of this test run. A file that kills or freezes its server starts one. */
export async function sharedRedis(): Promise<RedisDatabases> {
  const url = await runService('redis');
  const own = url === null ? await startRedisServer() : null;
  const client = new Redis(url ?? own?.url ?? '', { maxRetriesPerRequest: 3 });
  client.on('error', () => undefined); // the broken command reports it
  return {
    createDatabase: async () => `${url ?? own?.url}/${await client.incr('databases')}`,
    [Symbol.asyncDispose]: async () => {
      client.disconnect();
      await own?.[Symbol.asyncDispose]();
    },
  };
}
