import { once } from 'node:events';
import { createProcessSignals, createRedisSignals, openRedis } from '@sluice/cache';
import type { AuditStore, SessionId, SessionStore, UserStore } from '@sluice/core';
import { DatabaseRefusal, openPostgres, openSqlite } from '@sluice/db';
import type { Config } from '../config/parse-config.ts';
import { StartError } from '../start-error.ts';
import { quietQueue } from './quiet-queue.ts';

/** The accounts of an installation, for a command that does nothing else. */
export interface OpenAccounts extends AsyncDisposable {
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly audit: AuditStore;
  /**
   * Tells the servers that these have ended, so that they close their streams at once. Without Redis they look every
   * second; false when Redis is configured and away: then they look for themselves when they hear of that.
   */
  tellEnded(sessions: readonly SessionId[]): Promise<boolean>;
}

type Installation = Pick<Config, 'databaseUrl' | 'redisUrl' | 'dataDir'>;

const applicationName = 'sluice-admin';
const REDIS_PATIENCE_MS = 3_000; // longer than one try to connect takes
const quiet = { info: () => undefined, warn: () => undefined };

/**
 * Opens the database that is configured, brought up to date, as every start of a server does.
 *
 * @throws StartError when it is in use by another process, unreachable, damaged, or of a newer version
 */
export async function openAccounts({ databaseUrl: url, redisUrl, dataDir }: Installation): Promise<OpenAccounts> {
  const clock = { now: () => new Date() };
  try {
    const stores =
      url === null
        ? await openSqlite({ dataDir, clock })
        : await openPostgres({ url, applicationName, clock, queue: quietQueue({ url, applicationName }) });
    const { users, sessions, audit } = stores;
    return {
      users,
      sessions,
      audit,
      tellEnded: async (ended) =>
        redisUrl === null || ended.length === 0 ? true : await tellOverRedis(redisUrl, ended),
      [Symbol.asyncDispose]: () => stores.close(),
    };
  } catch (error) {
    throw error instanceof DatabaseRefusal ? new StartError(error.message, { cause: error }) : error;
  }
}

async function tellOverRedis(url: string, ended: readonly SessionId[]): Promise<boolean> {
  const redis = openRedis(url, quiet);
  const signals = createRedisSignals(redis, createProcessSignals());
  try {
    if (redis.commands.status !== 'ready') {
      await once(redis.commands, 'ready', { signal: AbortSignal.timeout(REDIS_PATIENCE_MS) });
    }
    for (const id of ended) signals.sessionEnded(id);
    await redis.commands.ping(); // on the same connection: what was said before has arrived
    return true;
  } catch {
    return false;
  } finally {
    signals.close();
    await redis.close();
  }
}
