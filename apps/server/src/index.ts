export { ConfigError } from './config/parse-config.ts';
export { loadConfig } from './config.ts';
export { type Diagnosis, diagnose } from './doctor.ts';
export { type MigrationReport, migrate } from './migrate.ts';
export { type MoveReport, moveToPostgres } from './move-to-postgres.ts';
export { serve } from './serve.ts';
export { startServer } from './server.ts';
export { StartError } from './start-error.ts';
export { onStopSignal } from './stop-signal.ts';
