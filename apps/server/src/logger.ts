import { type ChildLoggerOptions, type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Config } from './config/parse-config.ts';
import { redact } from './redact.ts';

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
  // Pino formats what is bound to a child by nothing of its parent's, so it is redacted on the way in.
  const child: (bindings: object, options?: ChildLoggerOptions) => Logger = log.child;
  return Object.assign(log, {
    child(this: Logger, bindings: object, options?: ChildLoggerOptions): Logger {
      return child.call(this, redact(bindings), options);
    },
  }) as Logger;
}
