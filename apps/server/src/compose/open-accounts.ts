import { once } from 'node:events';
import type { SecondFactorStore, SessionStore, UserStore } from '@sluice/core/account';
import type { ApiTokenStore } from '@sluice/core/api-token';
import type { AuditStore } from '@sluice/core/audit';
import type { EventsWritten, IssueStore, Signals } from '@sluice/core/issue';
import type { RepoStore } from '@sluice/core/repo';
import { createProcessSignals, createRedisSignals, openRedis } from '@sluice/redis';
import type { Config } from '../config/parse-config.ts';
import { openAdminStores } from './open-admin-stores.ts';

/** The accounts of an installation, for an administrative command. */
export interface OpenAccounts extends AsyncDisposable {
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly secondFactors: SecondFactorStore;
  readonly apiTokens: ApiTokenStore;
  readonly audit: AuditStore;
  readonly issues: IssueStore;
  readonly repos: RepoStore;
  /**
   * Signals the ended sessions and API tokens and the events written since to the servers, so that they close streams and stop work at
   * once. Without Redis the servers poll every second, and an embedded server looks at its sessions every 15 s. False if
   * Redis is configured but unavailable: the servers then poll once they notice.
   */
  signalEnded(ids: readonly string[]): Promise<boolean>;
}

type Installation = Pick<Config, 'databaseUrl' | 'redisUrl' | 'dataDir' | 'maxActivePipelinesPerUser'>;

const REDIS_TIMEOUT_MS = 3_000; // longer than one connection attempt
const quiet = { info: () => undefined, warn: () => undefined };

/** Opens the accounts of an installation, also while a server runs. @throws StartError as `openAdminStores` */
export async function openAccounts(installation: Installation): Promise<OpenAccounts> {
  const { redisUrl } = installation;
  const written: EventsWritten[] = [];
  const stores = await openAdminStores(installation, {
    onEvents: (hint) => written.push(hint),
    besideServer: true,
  });
  const { users, sessions, secondFactors, apiTokens, audit, issues, repos } = stores;
  return {
    users,
    sessions,
    secondFactors,
    apiTokens,
    audit,
    issues,
    repos,
    signalEnded: async (ended) => {
      const events = written.splice(0);
      if (redisUrl === null || (ended.length === 0 && events.length === 0)) return true;
      return await signalOverRedis(redisUrl, (signals) => {
        for (const id of ended) signals.sessionEnded(id);
        for (const hint of events) signals.eventsWritten(hint);
      });
    },
    [Symbol.asyncDispose]: () => stores.close(),
  };
}

async function signalOverRedis(
  url: string,
  send: (signals: Pick<Signals, 'sessionEnded' | 'eventsWritten'>) => void,
): Promise<boolean> {
  const redis = openRedis(url, quiet);
  const signals = createRedisSignals(redis, createProcessSignals());
  try {
    if (redis.commands.status !== 'ready') {
      await once(redis.commands, 'ready', { signal: AbortSignal.timeout(REDIS_TIMEOUT_MS) });
    }
    send(signals);
    await redis.commands.ping(); // on the same connection, so the signals have arrived before it
    return true;
  } catch {
    return false;
  } finally {
    signals.close();
    await redis.close();
  }
}
