export { aGate, aPlan } from './builder/a-plan.ts';
export { aNewRepo, aRepo } from './builder/a-repo.ts';
export { aNewUser, aUser, byUser } from './builder/a-user.ts';
export { aNewApiToken } from './builder/an-api-token.ts';
export { anAuditSealer, auditKeys, keptAuditHead } from './builder/an-audit-sealer.ts';
export { aNewInvitation } from './builder/an-invitation.ts';
export { aNewIssue, anIssue } from './builder/an-issue.ts';
export { countingIds, newId } from './builder/ids.ts';
export { localHosts, scriptedHosts } from './builder/scripted-hosts.ts';
export { type SettableClock, settableClock } from './builder/settable-clock.ts';
export { apiTokenContract } from './contract/api-token.contract.ts';
export { auditContract } from './contract/audit.contract.ts';
export { auditSealContract } from './contract/audit-seal.contract.ts';
export { budgetContract } from './contract/budget.contract.ts';
export { changeRequestContract } from './contract/change-request.contract.ts';
export { codeHostInboxContract } from './contract/code-host-inbox.contract.ts';
export { codeHostIndexContract } from './contract/code-host-index.contract.ts';
export { codeHostLinkContract } from './contract/code-host-link.contract.ts';
export {
  anAccount,
  anAnsweredRemark,
  anEncryptedGrant,
  aRemark,
  aSubject,
  followUpOn,
  hostedRepo,
  importOf,
  published,
} from './contract/code-host-samples.ts';
export { codeHostSiteContract } from './contract/code-host-site.contract.ts';
export { encryptedSecretContract } from './contract/encrypted-secret.contract.ts';
export { estimateContract } from './contract/estimate.contract.ts';
export { aPlanOf, completedRun, type Taken } from './contract/estimated-run.ts';
export { eventLogContract } from './contract/event-log.contract.ts';
export { idempotencyContract } from './contract/idempotency.contract.ts';
export { invitationContract } from './contract/invitation.contract.ts';
export { issueStoreContract } from './contract/issue-store.contract.ts';
export { limiterContract } from './contract/limiter.contract.ts';
export { maintenanceContract } from './contract/maintenance.contract.ts';
export { memberContract } from './contract/member.contract.ts';
export { notificationContract } from './contract/notification.contract.ts';
export { oidcIdentityContract } from './contract/oidc-identity.contract.ts';
export { outcomeContract } from './contract/outcome.contract.ts';
export { claimed, replayStatus, runningIssue } from './contract/pipeline-moves.ts';
export { remarkContract } from './contract/remark.contract.ts';
export { removalContract } from './contract/removal.contract.ts';
export { repoStoreContract } from './contract/repo-store.contract.ts';
export { runStoreContract } from './contract/run-store.contract.ts';
export { signalsContract } from './contract/signals.contract.ts';
export { type OpenStores, registeredRepo, type StoreHarness } from './contract/store-harness.ts';
export { userStoreContract } from './contract/user-store.contract.ts';
export { vectorStoreContract } from './contract/vector-store.contract.ts';
export { workerStoreContract } from './contract/worker-store.contract.ts';
export { mayMountDisks, mayMountXfs, mountSmallDisk, type SmallDisk } from './disk/small-disk.ts';
export { builtProgram } from './run/built-program.ts';
export { DATABASE_FOLDER, databaseFolder, RUN_FOLDER } from './run/run-folder.ts';
export { isSoakRun } from './run/soak-run.ts';
export { type ChromaServer, startChromaServer } from './service/chroma-server.ts';
export { closedDescription } from './service/closed-description.ts';
export { type FakeProvider, startFakeProvider } from './service/fake-provider.ts';
export { freePort } from './service/free-port.ts';
export { freezeProcess } from './service/freeze-process.ts';
export { type MailServer, startMailServer } from './service/mail-server.ts';
export { type KnownName, type NameServer, startNameServer } from './service/name-server.ts';
export { postgresCpu } from './service/postgres-cpu.ts';
export type { PostgresDatabases } from './service/postgres-databases.ts';
export { type PostgresServer, startPostgres } from './service/postgres-server.ts';
export {
  type PrismServer,
  type PrismViolation,
  prismViolations,
  startPrismProxy,
  startPrismServer,
} from './service/prism-server.ts';
export { type RedisServer, startRedisServer } from './service/redis-server.ts';
export { serveOnLoopback } from './service/serve-on-loopback.ts';
export { bootstrapInterval, type MeanInterval } from './statistics/bootstrap-interval.ts';
export { randomFrom } from './statistics/random-from.ts';
export { eventually, until, untilFound } from './wait/until.ts';
export { sharedPostgres } from './world/shared-postgres.ts';
export { type RedisDatabases, sharedRedis } from './world/shared-redis.ts';
