import { once } from 'node:events';
import type {
  AuditStore,
  EventsWritten,
  IssueStore,
  RepoStore,
  SessionId,
  SessionStore,
  Signals,
  UserStore,
} from '@sluice/core';
import { createProcessSignals, createRedisSignals, openRedis } from '@sluice/redis';
import type { Config } from '../config/parse-config.ts';
import { openAdminStores } from './open-admin-stores.ts';

/** The accounts of an installation, for a command that does nothing else. */
export interface OpenAccounts extends AsyncDisposable {
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly audit: AuditStore;
  readonly issues: IssueStore;
  readonly repos: RepoStore;
  /**
   * Tells the servers that these have ended, and of the events that were written since, so that they close streams and
   * stop work at once. Without Redis they look every second; false when Redis is configured and away: then they look for themselves when they hear of that.
   */
  tellEnded(sessions: readonly SessionId[]): Promise<boolean>;
}

type Installation = Pick<Config, 'databaseUrl' | 'redisUrl' | 'dataDir' | 'maxActivePipelinesPerUser'>;

const REDIS_PATIENCE_MS = 3_000; // longer than one try to connect takes
const quiet = { info: () => undefined, warn: () => undefined };

/** @throws StartError as `openAdminStores` */
export async function openAccounts(installation: Installation): Promise<OpenAccounts> {
  const { redisUrl } = installation;
  const written: EventsWritten[] = [];
  const stores = await openAdminStores(installation, { onEvents: (hint) => written.push(hint) });
  const { users, sessions, audit, issues, repos } = stores;
  return {
    users,
    sessions,
    audit,
    issues,
    repos,
    tellEnded: async (ended) => {
      const events = written.splice(0);
      if (redisUrl === null || (ended.length === 0 && events.length === 0)) return true;
      return await tellOverRedis(redisUrl, (signals) => {
        for (const id of ended) signals.sessionEnded(id);
        for (const hint of events) signals.eventsWritten(hint);
      });
    },
    [Symbol.asyncDispose]: () => stores.close(),
  };
}

async function tellOverRedis(
  url: string,
  tell: (signals: Pick<Signals, 'sessionEnded' | 'eventsWritten'>) => void,
): Promise<boolean> {
  const redis = openRedis(url, quiet);
  const signals = createRedisSignals(redis, createProcessSignals());
  try {
    if (redis.commands.status !== 'ready') {
      await once(redis.commands, 'ready', { signal: AbortSignal.timeout(REDIS_PATIENCE_MS) });
    }
    tell(signals);
    await redis.commands.ping(); // on the same connection: what was said before has arrived
    return true;
  } catch {
    return false;
  } finally {
    signals.close();
    await redis.close();
  }
}
