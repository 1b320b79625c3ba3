import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  builtinChoice,
  createAgentRunner,
  createBareSandbox,
  createBwrapSandbox,
  createCodeIndex,
  createProjectCommands,
  createRemoteInspector,
  createWorkspaces,
} from '@sluice/agents';
import { type Api, createApi } from '@sluice/api';
import {
  createMemoryLimiter,
  createProcessSignals,
  createRedisLimiter,
  createRedisSignals,
  openRedis,
} from '@sluice/cache';
import type {
  Clock,
  CodeIndex,
  Ids,
  JobSink,
  Limiter,
  RepoId,
  Sandbox,
  SandboxLimits,
  SandboxProbe,
  Signals,
  Telemetry,
} from '@sluice/core';
import { DatabaseRefusal, openSqlite, type Stores } from '@sluice/db';
import { createEmbeddedDriver, createWorker, DEFAULT_BOUNDS } from '@sluice/worker';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import manifest from '../package.json' with { type: 'json' };
import type { Config } from './config/parse-config.ts';
import { loadSecrets } from './secrets.ts';
import { StartError } from './start-error.ts';
import { createTokenCipher } from './token-cipher.ts';

/** Everything that the service consists of, put together: the only place that sees all packages. */
export interface Service {
  readonly sandboxProbe: SandboxProbe;
  /** The API needs to know how it is called, which is known only once the server listens. */
  createApi(listening: { publicUrl: URL }): Api;
  startWorker(): Promise<void>;
  /** Lets go of running issues, so that a successor goes on at once. The API goes on answering. */
  stopWorker(): Promise<void>;
  /** Stops the worker and closes what is open. Requests that are still under way fail. */
  close(): Promise<void>;
}

// A claim outlives a slow write and a busy machine; a dead process's issues need not wait for it, because the
// next process that opens the database alone ends all leases.
const LEASE_MS = 15_000;
const SWEEP_MS = 2_000;
const DRAIN_MS = 5_000;
const MIB = 1024 ** 2;
// Only admitted issues can be driven, and the database bounds those: the driver needs no second bound.
const DRIVER_CONCURRENCY = 1_000;

/** What a repository's own commands may take. The stage's time-out bounds them as well. */
const COMMAND_LIMITS: SandboxLimits = {
  timeoutMs: 20 * 60_000,
  memoryBytes: 4_096 * MIB,
  processes: 512,
  fileBytes: 2_048 * MIB,
  diskBytes: 6_144 * MIB,
  outputBytes: 1 * MIB,
};

const clock: Clock = { now: () => new Date() };
const ids: Ids = { next: () => uuidv7() };

/**
 * Puts the service together over a data folder.
 *
 * @throws StartError when the folder is in use by another process, or what is in it is damaged or of a newer version
 */
export async function compose(config: Config, log: Logger, telemetry: Telemetry): Promise<Service> {
  const cache = openCache(config, log);
  const sinks: JobSink[] = [];
  try {
    const stores = await openStores(config, log, { signals: cache.signals, sinks });
    try {
      return await composeOver(stores, { config, log, telemetry, cache, sinks });
    } catch (error) {
      await stores.close();
      throw error;
    }
  } catch (error) {
    await cache.close();
    throw error;
  }
}

/** Limits and signals: in this process, or in a Redis that several share. */
interface Cache {
  readonly signals: Signals;
  readonly limiter: Limiter;
  close(): Promise<void>;
}

function openCache(config: Config, log: Logger): Cache {
  const local = createProcessSignals((error) => log.error({ err: error }, 'a listener of signals threw'));
  if (config.redisUrl === null) {
    return { signals: local, limiter: createMemoryLimiter(), close: async () => undefined };
  }
  const redis = openRedis(config.redisUrl, log);
  const signals = createRedisSignals(redis, local);
  return {
    signals,
    limiter: createRedisLimiter(redis),
    close: async () => {
      signals.close();
      await redis.close();
    },
  };
}

/** Who hears of commits. A driver needs the stores and the stores tell the driver, so its sink comes later. */
interface CommitAudience {
  readonly signals: Signals;
  readonly sinks: JobSink[];
}

async function openStores(config: Config, log: Logger, { signals, sinks }: CommitAudience): Promise<Stores> {
  try {
    return await openSqlite({
      dataDir: config.dataDir,
      clock,
      maxActivePipelines: config.maxActivePipelines ?? undefined,
      onCapChanged: (change) => log.info(change, 'MAX_ACTIVE_PIPELINES has changed'),
      onEvents: (hint) => signals.eventsWritten(hint),
      onRunnable: (issueIds) => {
        for (const sink of sinks) sink.runnable(issueIds);
      },
      onListenerError: (error) => log.error({ err: error }, 'a listener of commits threw'),
    });
  } catch (error) {
    throw error instanceof DatabaseRefusal ? new StartError(error.message, { cause: error }) : error;
  }
}

interface Surroundings {
  readonly config: Config;
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly cache: Cache;
  readonly sinks: JobSink[];
}

async function composeOver(stores: Stores, { config, log, telemetry, cache, sinks }: Surroundings): Promise<Service> {
  const { signals, limiter } = cache;
  const secrets = loadSecrets(config);
  const cipher = createTokenCipher(secrets.encryptionKeys);
  const sandbox = createSandbox(config);
  const codeIndex = createCodeIndex({
    file: join(config.dataDir, 'code-index.db'),
    clock,
    onRebuilt: (reason) => log.warn({ reason }, 'the code index was damaged and is built anew'),
  });
  const remotePolicy = {
    allowLocalRepos: config.allowLocalRepos,
    allowPrivateHosts: config.allowPrivateHosts,
    forbiddenRoots: [config.dataDir],
    searchPath: config.path,
  };
  const workspaces = createWorkspaces({
    ...remotePolicy,
    root: join(config.dataDir, 'workspaces'),
    author: config.commitAuthor,
  });
  const driver = createEmbeddedDriver(stores.runs);
  sinks.push(driver);
  const worker = createWorker(
    {
      ...stores,
      workspaces,
      sandbox,
      codeIndex,
      agents: createAgentRunner({ models: builtinChoice }),
      commands: createProjectCommands(),
      cipher,
      signals,
      clock,
      driver,
      log,
    },
    {
      owner: randomUUID(),
      concurrency: DRIVER_CONCURRENCY,
      leaseMs: LEASE_MS,
      sweepMs: SWEEP_MS,
      stageTimeoutMs: config.stageTimeoutMs,
      gateTimeoutMs: config.gateTimeoutMs,
      workspaceTtlMs: config.workspaceTtlMs,
      bounds: DEFAULT_BOUNDS,
      sandboxLimits: { setup: COMMAND_LIMITS, test: COMMAND_LIMITS, agent: COMMAND_LIMITS },
      setupAllowHosts: config.setupAllowHosts,
    },
  );

  const stopWorker = () => worker.stop({ graceMs: DRAIN_MS });
  return {
    sandboxProbe: await sandbox.probe(),
    createApi: ({ publicUrl }) =>
      createApi(
        {
          ...stores,
          limiter,
          signals,
          remotes: createRemoteInspector(remotePolicy),
          cipher,
          clock,
          ids,
          health: { database: stores.health, cache: limiter, vector_store: { check: () => checkSearch(codeIndex) } },
          log,
        },
        {
          publicUrl,
          corsOrigins: config.corsOrigins,
          sessionSecret: Buffer.from(secrets.sessionSecret),
          sessionTtlMs: config.sessionTtlMs,
          registration: config.registration,
          trustProxy: config.trustProxy,
          codehost: null,
          version: manifest.version,
        },
      ),
    startWorker: async () => {
      await stores.runs.expireLeases();
      await worker.start();
    },
    stopWorker,
    close: async () => {
      await stopWorker();
      await workspaces.settled();
      await codeIndex.close();
      await stores.close();
      await cache.close();
    },
  };
}

/** Looks whether commands can be held here, without starting anything else. */
export async function probeSandbox(config: Config): Promise<SandboxProbe> {
  return await createSandbox(config).probe();
}

function createSandbox(config: Config): Sandbox {
  if (config.sandbox === 'none') return createBareSandbox({ path: config.path });
  return createBwrapSandbox({
    readPaths: config.sandboxReadPaths,
    path: config.path,
    hideRoots: [config.dataDir],
    scratchRoot: config.dataDir,
    proxy: { allowPrivateHosts: config.allowPrivateHosts ? config.setupAllowHosts : [] },
  });
}

const NO_REPO = '00000000-0000-7000-8000-000000000000' as RepoId;

/** Embedded, code search stands where the vector store will: its thread and its file must answer. */
async function checkSearch(codeIndex: CodeIndex): Promise<void> {
  await codeIndex.search(NO_REPO, 'health', 1);
}
