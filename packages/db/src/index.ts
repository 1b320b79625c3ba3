export { copyDatabase } from './backup/copy-database.ts';
export { type DatabaseCopy, inspectCopy, refuseNewer } from './backup/inspect-copy.ts';
export { openRestoreTarget, type RestoreTarget } from './backup/restore-target.ts';
export { type CopiedTable, type CopyOptions, type CopyReport, copyToPostgres } from './copy/copy-to-postgres.ts';
export { DatabaseRefusal } from './engine/database-refusal.ts';
export { type OpenOptions, openPostgres, openSqlite, type SqliteOptions, type Stores } from './open-database.ts';
export type { StoreListeners } from './store/store-context.ts';
export { type InstallationSurvey, surveyInstallation } from './survey-installation.ts';
export { type UpgradeTarget, upgradeDatabase } from './upgrade-database.ts';
