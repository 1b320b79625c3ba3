import type { Clock, JobDriver, JobSink, Signals } from '@sluice/core';
import { DatabaseRefusal, openPostgres, openSqlite, type StoreListeners, type Stores } from '@sluice/db';
import { createEmbeddedDriver, createGraphileDriver } from '@sluice/worker';
import type { Logger } from 'pino';
import type { Config } from '../config/parse-config.ts';
import { StartError } from '../process/start-error.ts';
import { openBallast } from './ballast.ts';
import { holdWorkspacesDir } from './hold-workspaces-dir.ts';

/** The stores, and what brings their runnable issues to a worker. */
export interface Storage {
  readonly stores: Stores;
  readonly driver: JobDriver & JobSink;
  /** How many issues one process drives at a time. */
  readonly concurrency: number;
  /** Ends what a process that died has left behind, where nobody else can be at work. */
  recover(): Promise<void>;
  close(): Promise<void>;
}

interface StorageDeps {
  readonly config: Config;
  readonly log: Logger;
  readonly signals: Signals;
  readonly clock: Clock;
}

// Only admitted issues can be driven, and the database bounds those: the driver needs no second bound.
const EMBEDDED_CONCURRENCY = 1_000;
// Each costs a connection at times. What one process does not take another one does, or this one a little later.
const SHARED_CONCURRENCY = 10;

/**
 * Opens the database that is configured, brought up to date.
 *
 * @throws StartError when it is in use, unreachable, damaged, or of a newer version
 */
export async function openStorage(deps: StorageDeps): Promise<Storage> {
  try {
    return await (deps.config.databaseUrl === null ? openEmbedded(deps) : openShared(deps, deps.config.databaseUrl));
  } catch (error) {
    throw error instanceof DatabaseRefusal ? new StartError(error.message, { cause: error }) : error;
  }
}

/** SQLite in the data folder: this process has it alone, so nobody else's lease or hold can be alive. */
async function openEmbedded({ config, log, signals, clock }: StorageDeps): Promise<Storage> {
  // The driver asks the stores and the stores tell the driver, so its sink comes later.
  const sinks: JobSink[] = [];
  const { stores, letGo } = await openOnFreeDisk({ config, log }, (onFull) =>
    openSqlite({
      dataDir: config.dataDir,
      ...commonOptions({ config, log, signals, clock }),
      onFull,
      onRunnable: (issueIds) => {
        for (const sink of sinks) sink.runnable(issueIds);
      },
    }),
  );
  const driver = createEmbeddedDriver(stores.runs);
  sinks.push(driver);
  return {
    stores,
    driver,
    concurrency: EMBEDDED_CONCURRENCY,
    recover: async () => {
      await stores.runs.expireLeases();
      await stores.codehostInbox.expireHolds();
    },
    close: async () => {
      await stores.close();
      await letGo();
    },
  };
}

/** Opens the database when its disk has room: a disk that a command has filled must not keep the service from starting. */
async function openOnFreeDisk(
  { config, log }: Pick<StorageDeps, 'config' | 'log'>,
  open: (onFull: () => boolean) => Promise<Stores>,
): Promise<{ stores: Stores; letGo(): Promise<void> }> {
  const workspaces = await holdWorkspacesDir(config);
  const { removed } = workspaces;
  if (removed.length > 0) log.warn({ removed }, 'the disk of the working trees was nearly full: they were removed');
  try {
    const ballast = openBallast(config.dataDir);
    ballast.releaseIfFull();
    const stores = await open(ballast.release);
    ballast.keep();
    const letGo = async () => {
      await ballast.close();
      workspaces.release();
    };
    return { stores, letGo };
  } catch (error) {
    workspaces.release();
    throw error;
  }
}

/** Postgres, with the queue in the same database: any number of processes. */
async function openShared({ config, log, signals, clock }: StorageDeps, url: string): Promise<Storage> {
  const applicationName = `sluice-${config.role}`;
  const driver = createGraphileDriver({ url, applicationName, log });
  const stores = await openPostgres({
    url,
    applicationName,
    queue: driver.queue,
    ...commonOptions({ config, log, signals, clock }),
    onConnectionLost: (error) => log.warn({ err: error }, 'a connection to the database was lost'),
  });
  return {
    stores,
    driver,
    concurrency: SHARED_CONCURRENCY,
    recover: async () => undefined,
    close: async () => {
      await driver.close();
      await stores.close();
    },
  };
}

function commonOptions({ config, log, signals, clock }: StorageDeps) {
  return {
    clock,
    maxActivePipelines: config.maxActivePipelines ?? undefined,
    maxActivePipelinesPerUser: config.maxActivePipelinesPerUser,
    gateKeepsSlot: config.gateKeepsSlot,
    onCapChanged: (change: object) => log.info(change, 'MAX_ACTIVE_PIPELINES has changed'),
    onEvents: (hint: Parameters<NonNullable<StoreListeners['onEvents']>>[0]) => signals.eventsWritten(hint),
    onListenerError: (error: unknown) => log.error({ err: error }, 'a listener of commits threw'),
  };
}
