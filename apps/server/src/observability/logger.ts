import { statSync } from 'node:fs';
import { type ChildLoggerOptions, type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Config } from '../config/parse-config.ts';
import { redact } from './redact.ts';
import { createTerminalLog } from './terminal-log.ts';

const LARGE_LOG_BYTES = 8 * 1024 ** 2;
const UNWRITTEN_CHARACTERS = 1024 ** 2;

type LogSettings = Pick<Config, 'logLevel' | 'logFormat'>;

/**
 * The service's log, with secrets redacted: one JSON object per line, or text for people.
 *
 * @param file appended to, and truncated first if it has grown large, always JSON; null = stderr
 */
export function createLogger(config: LogSettings, file: string | null): Logger {
  if (file === null) {
    const stderr = openTarget({ dest: 2 });
    return createLoggerTo(config, isForPeople(config) ? createTerminalLog((line) => stderr.write(line)) : stderr);
  }
  // Truncated only when large: a second process that is about to be refused must not empty the first one's log.
  const append = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) < LARGE_LOG_BYTES;
  return createLoggerTo(config, openTarget({ dest: file, append, mode: 0o600 }));
}

/** A log that cannot be written, as on a full disk, is no reason to stop: lines are kept for later, the newest are lost. */
function openTarget(options: { dest: number | string; append?: boolean; mode?: number }): DestinationStream {
  const target = destination({ ...options, sync: true, maxLength: UNWRITTEN_CHARACTERS });
  target.on('error', () => undefined);
  return target;
}

/** Whether a person reads the log on stderr, and not a program. */
export function isForPeople({ logFormat }: Pick<Config, 'logFormat'>): boolean {
  return logFormat === null ? process.stderr.isTTY === true : logFormat === 'text';
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
