export {
  type AccountAdmin,
  type AccountReport,
  type AuditReport,
  type DisableReport,
  type EndReport,
  openAccountAdmin,
} from './admin-accounts.ts';
export { type BackupReport, backUp } from './backup/back-up.ts';
export type { BackupManifest } from './backup/backup-manifest.ts';
export { type RestoreReport, restoreBackup } from './backup/restore-backup.ts';
export {
  type CodeHostForgetReport,
  type CodeHostMoveReport,
  forgetCodeHost,
  moveCodeHost,
} from './change-codehost.ts';
export { ConfigError } from './config/parse-config.ts';
export { loadConfig } from './config.ts';
export { type Diagnosis, diagnose } from './doctor.ts';
export { type MigrationReport, migrate } from './migrate.ts';
export { type MoveReport, moveToPostgres } from './move-to-postgres.ts';
export { type RotationReport, rotateKeys } from './rotate-keys.ts';
export { serve } from './serve.ts';
export { startServer } from './server.ts';
export { StartError } from './start-error.ts';
export { onStopSignal } from './stop-signal.ts';
