export { aGate, aPlan } from './builder/a-plan.ts';
export { aNewRepo, aRepo } from './builder/a-repo.ts';
export { aNewUser, aUser, byUser } from './builder/a-user.ts';
export { aNewApiToken } from './builder/an-api-token.ts';
export { aNewAttachment, noPictures } from './builder/an-attachment.ts';
export { anAuditSealer, auditKeys, keptAuditHead } from './builder/an-audit-sealer.ts';
export { aNewInvitation } from './builder/an-invitation.ts';
export { aNewIssue, anIssue } from './builder/an-issue.ts';
export { baseFilesOf } from './builder/base-files-of.ts';
export { countingIds, newId } from './builder/ids.ts';
export { type PngForm, pngChunk, pngOf } from './builder/png.ts';
export { localHosts, scriptedHosts } from './builder/scripted-hosts.ts';
export { type SettableClock, settableClock } from './builder/settable-clock.ts';
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
export { aPlanOf, completedRun, type Taken } from './contract/estimated-run.ts';
export { limiterContract } from './contract/limiter.contract.ts';
export { claimed, replayStatus, runningIssue } from './contract/pipeline-moves.ts';
export { signalsContract } from './contract/signals.contract.ts';
export { storeContracts } from './contract/store-contracts.ts';
export { type OpenStores, registeredRepo, type StoreHarness } from './contract/store-harness.ts';
export { vectorStoreContract } from './contract/vector-store.contract.ts';
export { mayMountDisks, mayMountXfs, mountSmallDisk, type SmallDisk } from './disk/small-disk.ts';
export { bedrockEvent } from './model-server/bedrock-event.ts';
export { type RunningWireServer, startWireServer, type WireScript } from './model-server/start-wire-server.ts';
export { type Conversation, SOURCES_READ, type Turn, type WireServer } from './model-server/wire-server.ts';
export { wireServers } from './model-server/wire-servers.ts';
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
