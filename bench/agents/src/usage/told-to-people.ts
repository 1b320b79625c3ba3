import { ConfigError } from '@sluice/server';
import { UsageError } from './usage-error.ts';

/**
 * The message of an error that a person can correct. @throws the error itself when it is a bug, which keeps its stack
 */
export function toldToPeople(error: unknown): string {
  if (error instanceof UsageError || error instanceof ConfigError) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message : '';
  if (code.startsWith('ERR_PARSE_ARGS')) return `${message}. --help lists the options.`;
  if (code === 'ENOENT') return message;
  throw error;
}
