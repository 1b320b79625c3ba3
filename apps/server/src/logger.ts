import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Config } from './config/parse-config.ts';

// What must not be logged even where an object is logged whole by mistake: credentials by the names they go by here.
const SECRET_FIELDS = [
  'password',
  'current_password',
  'access_token',
  'accessToken',
  'token',
  'cookie',
  'set-cookie',
  'authorization',
  'sessionSecret',
  'encryptionKeys',
];
const REDACTED_PATHS = SECRET_FIELDS.flatMap((field) => {
  const key = /^\w+$/.test(field) ? field : `["${field}"]`;
  const below = (parent: string) => (key.startsWith('[') ? `${parent}${key}` : `${parent}.${key}`);
  return [key, below('*'), below('*.*'), below('*.headers')];
});

/**
 * The service's log: one JSON object a line, secrets redacted.
 *
 * @param file written from its start (an embedded run keeps only its own log); null = stderr
 */
export function createLogger(config: Pick<Config, 'logLevel'>, file: string | null): Logger {
  const target: DestinationStream =
    file === null
      ? destination({ dest: 2, sync: true })
      : destination({ dest: file, append: false, sync: true, mode: 0o600 });
  return createLoggerTo(config, target);
}

/** The same log to a stream of the caller's. */
export function createLoggerTo(config: Pick<Config, 'logLevel'>, target: DestinationStream): Logger {
  return pino(
    {
      level: config.logLevel,
      base: null,
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    target,
  );
}
