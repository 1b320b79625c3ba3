import type { Clock } from '@sluice/core/async';
import type { HealthCheck } from '@sluice/core/operation';
import { ANY_APPROVER, type ApprovalPolicy } from '@sluice/core/pipeline';
import type { Stores as StorePorts } from '@sluice/core/stores';
import { createAccountLinkStore } from './account-link/account-link-store.ts';
import { createApiTokenStore } from './api-token/api-token-store.ts';
import { createAttachmentStore } from './attachment/attachment-store.ts';
import { createAuditSealStore } from './audit/audit-seal-store.ts';
import { createAuditStore } from './audit/audit-store.ts';
import { createBudgetStore } from './budget/budget-store.ts';
import { createCodeHostIndex } from './code-host/code-host-index.ts';
import { createEncryptedSecretStore } from './code-host/encrypted-secret-store.ts';
import { createCodeHostInbox } from './code-host/inbox.ts';
import { createCodeHostLinkStore } from './code-host/link-store.ts';
import { createCodeHostSiteStore } from './code-host/site-store.ts';
import { createDeletionStore } from './deletion/deletion-store.ts';
import type { Database } from './engine/database.ts';
import { createEventLog } from './event/event-log.ts';
import { createInvitationStore } from './invitation/invitation-store.ts';
import { admit } from './issue/admission.ts';
import { createIssueStore } from './issue/issue-store.ts';
import { createQueueStats } from './issue/queue-stats.ts';
import { setSlotCount } from './issue/slots.ts';
import { createRunStore } from './lease/run-store.ts';
import { checkWrites } from './maintenance/check-writes.ts';
import { createMaintenanceStore } from './maintenance/maintenance-store.ts';
import { createWorkerStore } from './maintenance/worker-store.ts';
import { createMemberStore } from './member/member-store.ts';
import { createDeliveryQueue } from './notification/delivery-queue.ts';
import { createNotificationStore } from './notification/notification-store.ts';
import { createOidcIdentityStore } from './oidc/oidc-identity-store.ts';
import { createOutcomeStore } from './outcome/outcome-store.ts';
import { openPgDatabase, type PgOptions } from './pg/open-pg-database.ts';
import { createRepoStore } from './repo/repo-store.ts';
import { createIdempotencyStore } from './request/idempotency-store.ts';
import { openSqliteDatabase } from './sqlite/open-sqlite-database.ts';
import { atEdge } from './store/at-edge.ts';
import { type StoreContext, type StoreListeners, write } from './store/store-context.ts';
import { createSecondFactorStore } from './user/second-factor-store.ts';
import { createSessionStore } from './user/session-store.ts';
import { createSignInFlowStore } from './user/sign-in-flows.ts';
import { createUserStore } from './user/user-store.ts';

const DEFAULT_MAX_ACTIVE_PIPELINES = 5;

export interface OpenOptions extends StoreListeners {
  readonly clock: Clock;
  /**
   * The number of slots for all processes that share the database, where it is stored. Left out, it stays as it is (5
   * on a new database). Lowering it does not stop running issues.
   */
  readonly maxActivePipelines?: number | undefined;
  /** Slots per user; null or left out: no limit. Lowering it does not stop running issues. */
  readonly maxActivePipelinesPerUser?: number | null | undefined;
  /** Whether an issue keeps its slot at a gate. Default: true. */
  readonly gateKeepsSlot?: boolean | undefined;
  /** The minimum of approvals in all repositories. Default: any one approver. */
  readonly leastApproval?: ApprovalPolicy | undefined;
  /** Called when the number of slots of an existing database changed. */
  readonly onCapChanged?: ((change: { from: number; to: number }) => void) | undefined;
}

export interface SqliteOptions extends OpenOptions {
  /** The data folder, created if it does not exist. */
  readonly dataDir: string;
  /** Called when the disk is full. Returns whether it freed space; then the write is retried once. */
  readonly onFull?: () => boolean;
  /** The time in Unix milliseconds, in place of the clocks of the database and of this process: for a simulation. */
  readonly databaseNow?: () => number;
  /** Work beside the server of the data folder if one runs, instead of being refused. */
  readonly besideServer?: boolean;
}

/** An opened database. */
export interface Stores extends StorePorts, AsyncDisposable {
  readonly health: HealthCheck;
  /** Waits for running writes, refuses further ones, and releases the data folder. May be called twice. */
  close(): Promise<void>;
}

/**
 * Opens and migrates the SQLite database of a data folder for this process alone, or beside its server.
 *
 * @throws DatabaseRefusal when another process uses the folder, or the database is damaged, unreadable or of a newer
 * version
 */
export async function openSqlite(options: SqliteOptions): Promise<Stores> {
  return await openStores(openSqliteDatabase(options), options);
}

/**
 * Opens and migrates a Postgres database, which several processes may share.
 *
 * @throws DatabaseRefusal when it is unreachable or of a newer version
 */
export async function openPostgres(options: OpenOptions & PgOptions): Promise<Stores> {
  return await openStores(await openPgDatabase(options), options);
}

/** The stores over an opened database. Closes it when that fails. */
async function openStores(
  opened: Database,
  options: OpenOptions & Pick<SqliteOptions, 'databaseNow'>,
): Promise<Stores> {
  const { clock, onEvents, onRunnable, onListenerError } = options;
  const { database, health } = checkWrites(opened);
  const context: StoreContext = {
    database,
    clock,
    listeners: { onEvents, onRunnable, onListenerError },
    slotRules: { perUser: options.maxActivePipelinesPerUser ?? null, keptAtGate: options.gateKeepsSlot ?? true },
    leastApproval: options.leastApproval ?? ANY_APPROVER,
    elapsedMs: options.databaseNow,
  };
  try {
    await setCap(context, options);
  } catch (error) {
    await database.close();
    throw error;
  }
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= database.close();
    return closing;
  };
  return {
    issues: atEdge(createIssueStore(context), database),
    attachments: atEdge(createAttachmentStore(context), database),
    runs: atEdge(createRunStore(context), database),
    repos: atEdge(createRepoStore(context), database),
    budgets: atEdge(createBudgetStore(context), database),
    members: atEdge(createMemberStore(context), database),
    users: atEdge(createUserStore(context), database),
    sessions: atEdge(createSessionStore(context), database),
    secondFactors: atEdge(createSecondFactorStore(context), database),
    apiTokens: atEdge(createApiTokenStore(context), database),
    invitations: atEdge(createInvitationStore(context), database),
    signInFlows: atEdge(createSignInFlowStore(context), database),
    oidcIdentities: atEdge(createOidcIdentityStore(context), database),
    accountLinks: atEdge(createAccountLinkStore(context), database),
    deletions: atEdge(createDeletionStore(context), database),
    codehostLinks: atEdge(createCodeHostLinkStore(context), database),
    codehostIndex: atEdge(createCodeHostIndex(context), database),
    codehostInbox: atEdge(createCodeHostInbox(context), database),
    codehostSite: atEdge(createCodeHostSiteStore(context), database),
    outcomes: atEdge(createOutcomeStore(context), database),
    idempotency: atEdge(createIdempotencyStore(context), database),
    eventLog: atEdge(createEventLog(context), database),
    audit: atEdge(createAuditStore(context), database),
    auditSeals: atEdge(createAuditSealStore(context), database),
    encryptedSecrets: atEdge(createEncryptedSecretStore(context), database),
    queueStats: atEdge(createQueueStats(context), database),
    maintenance: atEdge(createMaintenanceStore(context), database),
    workers: atEdge(createWorkerStore(context), database),
    notifications: atEdge(createNotificationStore(context), database),
    deliveries: atEdge(createDeliveryQueue(context), database),
    health,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function setCap(context: StoreContext, options: OpenOptions): Promise<void> {
  const change = await write(context, async (write) => {
    const { database } = context;
    await database.lockDispatch(write.db);
    const isNew = (await write.db.select().from(database.tables.slots).limit(1)).length === 0;
    const cap = options.maxActivePipelines ?? (isNew ? DEFAULT_MAX_ACTIVE_PIPELINES : null);
    if (cap !== null && (!Number.isSafeInteger(cap) || cap < 1)) {
      throw new RangeError('maxActivePipelines must be 1 or more');
    }
    const before = cap === null ? null : await setSlotCount(write, cap);
    // A raised or removed limit per user also lets others start.
    if (cap !== null || options.maxActivePipelinesPerUser !== undefined) await admit(write);
    return isNew || cap === null || before === null || before === cap ? null : { from: before, to: cap };
  });
  if (change !== null) options.onCapChanged?.(change);
}
