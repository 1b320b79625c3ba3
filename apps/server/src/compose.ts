import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Api, createApi } from '@sluice/api';
import { hasAccounts } from '@sluice/core/account';
import { type Clock, systemTimers } from '@sluice/core/async';
import type { AuditHead } from '@sluice/core/audit';
import type { BudgetLoad } from '@sluice/core/budget';
import type { Ids } from '@sluice/core/id';
import type { QueueLoad } from '@sluice/core/issue';
import type { SandboxProbe } from '@sluice/core/workspace';
import {
  createAccountMailer,
  createNotificationSender,
  createUnsubscribeTokens,
  newSigningSecret,
} from '@sluice/notify';
import { createPictureCodec, findControlGroups } from '@sluice/sandbox';
import { createWorker, type Worker } from '@sluice/worker';
import {
  createBaseBranches,
  createBranchStandings,
  createProjectCommands,
  createRemoteInspector,
  createWorkspaces,
  openGitGroup,
} from '@sluice/workspace';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import manifest from '../package.json' with { type: 'json' };
import { auditHeadFile } from './audit/audit-head-file.ts';
import { auditKeysOf } from './audit/audit-keys.ts';
import { openAuditSealer } from './audit/open-audit-sealer.ts';
import { claimCodeHostSite } from './compose/claim-code-host-site.ts';
import { factsOf } from './compose/facts-of.ts';
import { type Cache, openCache } from './compose/open-cache.ts';
import { openCodeHost } from './compose/open-code-host.ts';
import { openCodeIndex } from './compose/open-code-index.ts';
import { openConsole } from './compose/open-console.ts';
import { openHostResolver } from './compose/open-host-resolver.ts';
import { openModels } from './compose/open-models.ts';
import { openOidc } from './compose/open-oidc.ts';
import { COMMAND_LIMITS, openSandbox } from './compose/open-sandbox.ts';
import { openStorage, type Storage } from './compose/open-storage.ts';
import { bindTokens, warnOfLostKeys } from './compose/token-keys.ts';
import type { Config } from './config/parse-config.ts';
import { loadSecrets } from './keys/secrets.ts';
import { createTokenCipher } from './keys/token-cipher.ts';
import { observedLimiter, observedSandbox } from './observability/observed-ports.ts';
import type { Observer } from './observability/observer.ts';
import { ownCommit } from './process/own-commit.ts';

/** The assembled service. This is the only file that sees all packages. */
export interface Service {
  /** Tries the sandbox once code search has started. Null if this process runs no commands (ROLE=api) or closes. */
  probeSandbox(): Promise<SandboxProbe | null>;
  /** Whether somebody has an account. */
  hasAccounts(): Promise<boolean>;
  /** Whether it serves the console. */
  readonly hasConsole: boolean;
  /** Resolves with a sentence when the process cannot do its work any more and only a new one may. */
  readonly failed: Promise<string>;
  /** The public URL is known only once the server listens. */
  createApi(listening: { publicUrl: URL }): Api;
  /** Comments and pull requests link back to `publicUrl`. */
  startWorker(listening: { publicUrl: URL }): Promise<void>;
  /** Releases running issues, so that another process can continue them at once. The API keeps serving. */
  stopWorker(): Promise<void>;
  /** Stops the worker and closes all resources. Requests in flight fail. */
  close(): Promise<void>;
}

// Long enough for a slow write on a busy machine; the issues of a crashed process wait this long for recovery.
const LEASE_MS = 15_000;
const MAINTENANCE_MS = 2_000;
const DRAIN_MS = 5_000;
const INDEX_START_MS = 10_000;
const QUEUE_DEAD =
  'The job queue brings no issues although the database answers. The process ends with an error, so that its supervisor starts it again.';

const clock: Clock = { now: () => new Date() };
const ids: Ids = { next: () => uuidv7() };

/** Observers of the service. */
export interface ServiceWatch {
  readonly observer: Observer;
  limitRefused(limit: string): void;
  watchQueue(load: () => Promise<QueueLoad>): void;
  watchPolls(silentMs: () => number): void;
  watchBudgets(load: () => Promise<BudgetLoad>): void;
  auditSealed(head: AuditHead): void;
}

/**
 * Assembles the service.
 *
 * @throws StartError when the database is in use by another process, unreachable, damaged, of a newer version or
 * belongs to another code host
 */
export async function compose(config: Config, log: Logger, watch: ServiceWatch): Promise<Service> {
  const cache = openCache(config, log);
  try {
    const failed = Promise.withResolvers<string>();
    const onQueueDead = () => failed.resolve(QUEUE_DEAD);
    const storage = await openStorage({ config, log, clock, signals: cache.signals, onQueueDead });
    try {
      await claimCodeHostSite(storage.stores.codehostSite, config.codehost);
      return await composeOver(storage, { config, log, watch, cache, failed: failed.promise });
    } catch (error) {
      await storage.close();
      throw error;
    }
  } catch (error) {
    await cache.close();
    throw error;
  }
}

interface Surroundings {
  readonly config: Config;
  readonly log: Logger;
  readonly watch: ServiceWatch;
  readonly cache: Cache;
  readonly failed: Promise<string>;
}

async function composeOver(storage: Storage, { config, log, watch, cache, failed }: Surroundings): Promise<Service> {
  const { stores, driver } = storage;
  const { signals } = cache;
  const { telemetry, around } = watch.observer;
  const limiter = observedLimiter(cache.limiter, watch.limitRefused);
  watch.watchQueue(() => stores.queueStats.load());
  if (config.databaseUrl !== null && config.role !== 'api') watch.watchPolls(() => driver.silentMs());
  watch.watchBudgets(() => stores.budgets.load());
  const { models } = config;
  const commit = await ownCommit(process.argv[1] ?? '');
  const secrets = loadSecrets(config);
  await warnOfLostKeys(stores.encryptedSecrets, secrets.encryptionKeys, log);
  const encryptedToken = { store: stores.encryptedSecrets, keys: secrets.encryptionKeys, log };
  await bindTokens(encryptedToken, config.databaseUrl === null);
  const cipher = createTokenCipher(secrets.encryptionKeys, (error) =>
    log.error({ err: error }, 'a stored token cannot be decrypted'),
  );
  const hosts = openHostResolver();
  const codehost = openCodeHost(config.codehost, {
    links: stores.codehostLinks,
    site: stores.codehostSite,
    cipher,
    clock,
    hosts,
    around,
    log,
  });
  const sandbox = observedSandbox(openSandbox(config, hosts), around);
  const pictures = createPictureCodec(sandbox, { scratchRoot: config.workspacesDir });
  let triedSandbox: SandboxProbe | null = null;
  const { agents, embedder } = openModels(models, { clock, observer: watch.observer });
  const { codeIndex, health: codeHealth } = openCodeIndex({ config, log, clock, embedder });
  const consoleFiles = config.role === 'worker' ? null : await openConsole();
  const gitGroup = await openGitGroup(await findControlGroups());
  const notificationSender = createNotificationSender({
    ...config.notifications,
    clock,
    hosts,
    userAgent: `sluice/${manifest.version}`,
  });
  const { smtp } = config.notifications;
  const accountMailer = smtp === null ? null : createAccountMailer(smtp);
  const unsubscribeTokens = createUnsubscribeTokens(Buffer.from(secrets.sessionSecret), clock);
  const auditSealer = openAuditSealer({
    store: stores.auditSeals,
    keys: auditKeysOf(secrets.encryptionKeys),
    heads: auditHeadFile(config.dataDir),
    clock,
    log,
    onSealed: watch.auditSealed,
  });
  const remotePolicy = {
    allowLocalRepos: config.allowLocalRepos,
    allowPrivateHosts: config.allowPrivateHosts,
    trustedOrigins: codehost === null ? [] : [codehost.origin],
    forbiddenRoots: [config.dataDir, config.workspacesDir],
    hosts,
    searchPath: config.path,
    gitGroup,
  };
  const { files, treeBytes, cloneBytes } = config.repoLimits;
  const clones = {
    ...remotePolicy,
    root: config.workspacesDir,
    author: config.commitAuthor,
    gitLimits: { memoryBytes: config.gitMemoryBytes, cloneBytes },
    treeLimits: { files, bytes: treeBytes },
  };
  const workspaces = createWorkspaces(clones);
  const bases = createBaseBranches(clones);
  const standings = createBranchStandings(clones);
  const newWorker = (publicUrl: URL): Worker =>
    createWorker(
      {
        ...stores,
        workspaces,
        bases,
        standings,
        sandbox,
        pictures,
        triedSandbox: () => triedSandbox,
        codeIndex,
        agents,
        commands: createProjectCommands(),
        cipher,
        codehost: codehost?.host ?? null,
        codehostTokens: codehost?.tokens ?? null,
        auditSealer,
        notifying: { sender: notificationSender, unsubscribeTokens },
        publicUrl,
        signals,
        clock,
        timers: systemTimers,
        ids,
        driver,
        telemetry,
        log,
      },
      {
        owner: randomUUID(),
        host: {
          hostName: hostname(),
          pid: process.pid,
          role: config.role === 'worker' ? 'worker' : 'all',
          version: manifest.version,
        },
        concurrency: storage.concurrency,
        leaseMs: LEASE_MS,
        maintenanceMs: MAINTENANCE_MS,
        stageTimeoutMs: config.stageTimeoutMs,
        gateTimeoutMs: config.gateTimeoutMs,
        workspaceTtlMs: config.workspaceTtlMs,
        eventRetentionMs: config.eventRetentionMs,
        budget: models.budget,
        bounds: { testSendBacks: models.testRounds, reviewSendBacks: models.reviewRounds },
        sandboxLimits: { setup: COMMAND_LIMITS, test: COMMAND_LIMITS, agent: COMMAND_LIMITS },
        setupAllowHosts: config.setupAllowHosts,
        codehostPollMs: config.codehost?.pollMs ?? 0,
        buildRounds: config.codehost?.buildRounds ?? 0,
        followUpRounds: config.codehost?.followUpRounds ?? 0,
      },
    );

  let worker: Worker | null = null;
  const stopWorker = async () => worker?.stop({ graceMs: DRAIN_MS });
  // Readiness waits for the thread of the index, which starts while the rest does. Readiness tells of a failure. It comes
  // after all that can fail here, because `close` ends the thread.
  const indexStarted = codeHealth.check(AbortSignal.timeout(INDEX_START_MS)).catch(() => undefined);
  let isClosing = false;
  return {
    probeSandbox: async () => {
      if (config.role === 'api') return null;
      await indexStarted; // the probe reads thousands of folders, and readiness waits for the index alone
      if (isClosing) return null;
      triedSandbox = await sandbox.probe();
      return triedSandbox;
    },
    hasAccounts: () => hasAccounts(stores.users),
    hasConsole: consoleFiles !== null,
    failed,
    createApi: ({ publicUrl }) =>
      createApi(
        {
          ...stores,
          limiter,
          signals,
          pictures,
          remotes: createRemoteInspector(remotePolicy),
          bases,
          codeIndex,
          cipher,
          notificationRules: {
            allowHosts: config.notifications.allowHosts,
            sendsEmail: notificationSender.sendsEmail,
            newSecret: newSigningSecret,
          },
          unsubscribeTokens,
          accountMailer,
          codehost,
          oidc: openOidc(config, { clock, hosts }),
          codehostTokens: codehost?.tokens ?? null,
          clock,
          ids,
          budget: models.budget,
          budgetIsFixed: models.budgetIsFixed,
          health: { database: storage.health, cache: limiter, vector_store: codeHealth },
          console: consoleFiles,
          log,
        },
        {
          publicUrl,
          corsOrigins: config.corsOrigins,
          takesApiTokens: config.takesApiTokens,
          sessionSecret: Buffer.from(secrets.sessionSecret),
          sessionTtlMs: config.sessionTtlMs,
          sessionIdleTtlMs: config.sessionIdleTtlMs,
          registration: config.registration,
          invitations: config.invitations,
          secondFactor: config.secondFactor,
          passwords: config.passwords,
          localReposFor: config.localReposFor,
          securityContact: config.securityContact,
          trustProxy: config.trustProxy,
          version: manifest.version,
          facts: factsOf(config, commit),
          configuration: config.set,
          healthOnly: config.role === 'worker',
        },
      ),
    startWorker: async ({ publicUrl }) => {
      if (config.role === 'api') return;
      await storage.recover();
      worker = newWorker(publicUrl);
      await worker.start();
    },
    stopWorker,
    close: async () => {
      isClosing = true;
      await stopWorker();
      await notificationSender.close();
      accountMailer?.close();
      await workspaces.settled();
      await gitGroup?.remove();
      await codeIndex.close();
      await storage.close();
      await cache.close();
    },
  };
}
