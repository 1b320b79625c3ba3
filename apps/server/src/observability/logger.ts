import { statSync } from 'node:fs';
import { type ChildLoggerOptions, type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Config } from '../config/parse-config.ts';
import { redact } from './redact.ts';

const LARGE_LOG_BYTES = 8 * 1024 ** 2;

/**
 * The service's log: one JSON object per line, with secrets redacted.
 *
 * @param file appended to, and truncated first if it has grown large; null = stderr
 */
export function createLogger(config: Pick<Config, 'logLevel'>, file: string | null): Logger {
  if (file === null) return createLoggerTo(config, destination({ dest: 2, sync: true }));
  // Truncated only when large: a second process that is about to be refused must not empty the first one's log.
  const append = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) < LARGE_LOG_BYTES;
  return createLoggerTo(config, destination({ dest: file, append, sync: true, mode: 0o600 }));
}

/** The same log, written to a given stream. */
export function createLoggerTo(config: Pick<Config, 'logLevel'>, target: DestinationStream): Logger {
  const log: Logger = pino(
    {
      level: config.logLevel,
      base: null,
      // Pino's own `redact` takes paths of a fixed depth and lets a request's raw headers pass.
      formatters: { log: redact },
      serializers: { err: (redacted: unknown) => redacted },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    target,
  );
  // Pino does not apply the parent's formatters to a child's bindings, so they are redacted here.
  const child: (bindings: object, options?: ChildLoggerOptions) => Logger = log.child;
  return Object.assign(log, {
    child(this: Logger, bindings: object, options?: ChildLoggerOptions): Logger {
      return child.call(this, redact(bindings), options);
    },
  }) as Logger;
}
