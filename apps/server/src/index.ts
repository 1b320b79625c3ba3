export { ConfigError } from './config/parse-config.ts';
export { loadConfig } from './config.ts';
export { type Diagnosis, diagnose } from './doctor.ts';
export { serve } from './serve.ts';
export { startServer } from './server.ts';
export { StartError } from './start-error.ts';
export { onStopSignal } from './stop-signal.ts';
