import { oneLine } from '@sluice/core/text';
import type { DestinationStream } from 'pino';

// Beside the message they say nothing to a person who watches.
const LEFT_OUT = new Set(['level', 'time', 'msg', 'ip']);
const LEVELS: readonly (readonly [atLeast: number, word: string])[] = [
  [50, 'error'],
  [40, 'warning'],
  [0, ''],
];

/**
 * Turns each line of the log into one that people read, as `12:01:07 request GET /api/issues 200 3 ms`. Texts of others, such as
 * what a remote answers to git, cannot control the terminal.
 */
export function createTerminalLog(write: (line: string) => void): DestinationStream {
  return { write: (line) => write(`${readable(line)}\n`) };
}

function readable(line: string): string {
  const entry = parsed(line);
  if (entry === null) return line.trimEnd();
  const { level, time, msg = '' } = entry;
  const [, word = ''] = LEVELS.find(([atLeast]) => Number(level) >= atLeast) ?? [];
  const clock = new Date(String(time)).toLocaleTimeString('en-GB');
  const head = [clock, word === '' ? '' : `${word}:`, String(msg)].filter((part) => part !== '').join(' ');
  if (msg === 'request') {
    const { method, path, status, duration_ms } = entry;
    return `${head} ${method} ${path} ${status} ${duration_ms} ms`;
  }
  const fields = Object.entries(entry)
    .filter(([name, value]) => !LEFT_OUT.has(name) && value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => ` ${name}=${shown(value)}`);
  return oneLine(head + fields.join('')) + stackOf(entry.err);
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  if (isError(value)) return JSON.stringify(value.message);
  return JSON.stringify(value);
}

function stackOf(error: unknown, relation = ''): string {
  if (!isError(error) || typeof error.stack !== 'string') return '';
  const lines = `${relation}${error.stack}`.split('\n').map((line) => `    ${oneLine(line)}`);
  return `\n${lines.join('\n')}${stackOf(error.cause, 'caused by ')}`;
}

function isError(
  value: unknown,
): value is { readonly message: string; readonly stack?: unknown; readonly cause?: unknown } {
  return typeof value === 'object' && value !== null && typeof (value as { message?: unknown }).message === 'string';
}
