export {
  type AccountAdmin,
  type AccountReport,
  type AuditReport,
  type DisableReport,
  type EndReport,
  openAccountAdmin,
} from './admin/admin-accounts.ts';
export {
  type AuditAcknowledgement,
  type AuditVerification,
  acknowledgeAuditLog,
  exportAuditLog,
  verifyAuditLog,
} from './admin/audit-admin.ts';
export {
  type CodeHostForgetReport,
  type CodeHostMoveReport,
  forgetCodeHost,
  moveCodeHost,
} from './admin/change-code-host.ts';
export { type RotationReport, rotateKeys } from './admin/rotate-keys.ts';
export { hasCodingModel, lacksModel } from './compose/lacks-model.ts';
export { openHostResolver } from './compose/open-host-resolver.ts';
export { type ConfigurationReport, describeConfiguration } from './config/describe-configuration.ts';
export { ignoredDotEnvNote, loadConfig, userFile } from './config/load-config.ts';
export { ConfigError } from './config/parse-config.ts';
export { setUserVariable, unsetUserVariable } from './config/user-settings.ts';
export { type Diagnosis, diagnose } from './doctor/diagnose.ts';
export { StartError } from './process/start-error.ts';
export { onStopSignal } from './process/stop-signal.ts';
export { serve } from './serve.ts';
export { startServer } from './server.ts';
export { type BackupReport, backUp } from './storage/backup/back-up.ts';
export type { BackupManifest } from './storage/backup/backup-manifest.ts';
export { type RestoreReport, restoreBackup } from './storage/backup/restore-backup.ts';
export { type MigrationReport, migrate } from './storage/migrate.ts';
export { type MoveReport, moveToPostgres } from './storage/move-to-postgres.ts';
export { type VacuumReport, vacuum } from './storage/vacuum.ts';
