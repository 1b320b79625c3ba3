import { type Clock, systemTimers } from '@sluice/core/async';
import { type JobDriver, type JobSink, QUEUE_SILENT_MS, type Signals } from '@sluice/core/issue';
import type { HealthCheck } from '@sluice/core/operation';
import { openPostgres, openSqlite, type StoreListeners, type Stores } from '@sluice/db';
import { createEmbeddedDriver, createGraphileDriver } from '@sluice/worker';
import type { Logger } from 'pino';
import type { Config } from '../config/parse-config.ts';
import { openBallast } from './ballast.ts';
import { toStartError } from './database-errors.ts';
import { holdWorkspacesDir } from './hold-workspaces-dir.ts';

/** The stores, and the driver that hands their runnable issues to a worker. */
export interface Storage {
  readonly stores: Stores;
  readonly driver: JobDriver & JobSink;
  /** The database; in a worker, which is there for nothing else, also the queue in it. */
  readonly health: HealthCheck;
  /** How many issues one process runs at the same time. */
  readonly concurrency: number;
  /** Expires the leases of a crashed process and forgets it as a worker, if no other process can be running. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

interface StorageDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly signals: Signals;
  readonly clock: Clock;
  /** The queue is dead although the database answers, and only a new process may help. */
  onQueueDead(): void;
}

// The database limits the number of running issues; the driver needs no second limit.
const EMBEDDED_CONCURRENCY = 1_000;
// Each may use a connection. Issues beyond it are taken by another process, or by this one later.
const SHARED_CONCURRENCY = 10;

/**
 * Opens the configured database and migrates it.
 *
 * @throws StartError when it is in use, unreachable, damaged, or of a newer version
 */
export async function openStorage(deps: StorageDeps): Promise<Storage> {
  try {
    return await (deps.config.databaseUrl === null ? openEmbedded(deps) : openShared(deps, deps.config.databaseUrl));
  } catch (error) {
    throw toStartError(error);
  }
}

/** SQLite in the data folder: only this process uses it, so any lease or hold of another one is stale. */
async function openEmbedded({ config, log, signals, clock }: Omit<StorageDeps, 'onQueueDead'>): Promise<Storage> {
  // The stores and the driver need each other. The driver reads the stores only after its start, so it comes first.
  const driver = createEmbeddedDriver(() => stores.runs, systemTimers);
  const { stores, release } = await openOnFreeDisk({ config, log }, (onFull) =>
    openSqlite({
      dataDir: config.dataDir,
      ...commonOptions({ config, log, signals, clock }),
      onFull,
      onRunnable: driver.runnable,
    }),
  );
  return {
    stores,
    driver,
    health: stores.health,
    concurrency: EMBEDDED_CONCURRENCY,
    recover: async () => {
      await stores.runs.expireLeases();
      await stores.codehostInbox.expireHolds();
      await stores.deliveries.expireHolds();
      await stores.workers.clear();
    },
    close: async () => {
      await stores.close();
      await release();
    },
  };
}

/** Frees disk space before the database is opened: a disk filled by a command must not prevent the start. */
async function openOnFreeDisk(
  { config, log }: Pick<StorageDeps, 'config' | 'log'>,
  open: (onFull: () => boolean) => Promise<Stores>,
): Promise<{ stores: Stores; release(): Promise<void> }> {
  const workspaces = await holdWorkspacesDir(config);
  const { removed } = workspaces;
  if (removed.length > 0)
    log.warn({ removed }, 'the disk of the working trees was nearly full: working trees were removed');
  try {
    const ballast = openBallast(config.dataDir);
    ballast.releaseIfFull();
    const stores = await open(ballast.release);
    ballast.keep();
    const release = async () => {
      await ballast.close();
      workspaces.release();
    };
    return { stores, release };
  } catch (error) {
    workspaces.release();
    throw error;
  }
}

/** Postgres, with the queue in the same database, for any number of processes. */
async function openShared(deps: StorageDeps, url: string): Promise<Storage> {
  const { config, log } = deps;
  const applicationName = `sluice-${config.role}`;
  const driver = createGraphileDriver({ url, applicationName, timers: systemTimers, log, onDead: deps.onQueueDead });
  const stores = await openPostgres({
    url,
    applicationName,
    queue: driver.queue,
    ...commonOptions(deps),
    onConnectionLost: (error) => log.warn({ err: error }, 'a connection to the database was lost'),
  });
  return {
    stores,
    driver,
    health: config.role === 'worker' ? withQueue(stores.health, driver) : stores.health,
    concurrency: SHARED_CONCURRENCY,
    recover: async () => undefined,
    close: async () => {
      await driver.close();
      await stores.close();
    },
  };
}

function withQueue(database: HealthCheck, driver: JobDriver): HealthCheck {
  return {
    async check(signal) {
      await database.check(signal);
      if (driver.silentMs() >= QUEUE_SILENT_MS) throw new Error('the queue in the database is silent');
    },
  };
}

function commonOptions({ config, log, signals, clock }: Omit<StorageDeps, 'onQueueDead'>) {
  return {
    clock,
    maxActivePipelines: config.maxActivePipelines ?? undefined,
    maxActivePipelinesPerUser: config.maxActivePipelinesPerUser,
    gateKeepsSlot: config.gateKeepsSlot,
    leastApproval: config.leastApproval,
    onCapChanged: (change: object) => log.info(change, 'MAX_ACTIVE_PIPELINES has changed'),
    onEvents: (hint: Parameters<NonNullable<StoreListeners['onEvents']>>[0]) => signals.eventsWritten(hint),
    onListenerError: (error: unknown) => log.error({ err: error }, 'a commit listener threw'),
  };
}
