import { AppError } from '@sluice/core';
import { DrizzleQueryError } from 'drizzle-orm';

/** What is behind an error: drizzle wraps the driver's in one whose message holds the query and its parameters. */
function driverError(error: unknown): unknown {
  return error instanceof DrizzleQueryError && error.cause !== undefined ? error.cause : error;
}

/** Two transactions were in each other's way; Postgres has undone this one. */
const CONFLICTS = new Set(['40001', '40P01']);
/**
 * The server ended the connection or cannot take one now: classes 08 (connection) and 57P (operator) as a whole, too many
 * connections, and a transaction that was idle for too long because its process was stopped in its tracks.
 */
const AWAY = /^(?:08|57P|53300|25P03)/;
/** The server ended a statement that took too long or waited too long for a lock. */
const OVERDUE = new Set(['55P03', '57014']);
/** pg's own words: the server has not answered at all, on a connection that it had or to a new one. */
const UNANSWERED =
  /^Query read timeout|timeout exceeded when trying to connect|due to connection timeout|^timeout expired/;
const AWAY_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // a socket in the file system that is not there
]);
const AWAY_WORDS = /Connection terminated|Client has encountered a connection error/;

/** Whether the same transaction may well succeed when it is begun again. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(driverError(error)));
}

/**
 * Whether a statement was prepared on this connection for tables that have changed since, or is not prepared there any
 * more. The first has no code of its own, and its message is in the server's language.
 */
export function isStaleStatement(error: unknown): boolean {
  const cause = driverError(error);
  if (codeOf(cause) === '26000') return true;
  return codeOf(cause) === '0A000' && (cause as { routine?: unknown }).routine === 'RevalidateCachedQuery';
}

/** Whether a lock was not had in the time that there was for it. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(driverError(error)) === '55P03';
}

/** Whether the server could not be reached, or the connection to it was lost. */
export function isAway(error: unknown): boolean {
  const cause = driverError(error);
  const code = codeOf(cause);
  if (AWAY.test(code) || AWAY_SYSTEM.has(code)) return true;
  if (isUnanswered(cause)) return true;
  if (cause instanceof AggregateError) return cause.errors.some(isAway); // one for each address of a name
  return cause instanceof Error && AWAY_WORDS.test(cause.message);
}

/** Whether the server keeps its connection open and says nothing: to ask once more would take as long again. */
export function isUnanswered(error: unknown): boolean {
  const cause = driverError(error);
  return cause instanceof Error && UNANSWERED.test(cause.message);
}

/**
 * The failure as it may be logged and shown: without the query, its parameters, and the values that Postgres puts into
 * `detail` and `where`.
 */
export function pgFailure(error: unknown): unknown {
  const cause = driverError(error);
  if (cause instanceof AppError) return cause;
  if (OVERDUE.has(codeOf(cause))) {
    return new AppError('not_ready', { detail: 'The database is too busy to answer in time.' }, { cause: bare(cause) });
  }
  if (isAway(error)) {
    return new AppError('not_ready', { detail: 'The database cannot be reached.' }, { cause: bare(cause) });
  }
  return codeOf(cause) === '' ? cause : bare(cause);
}

function bare(error: unknown): Error {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const code = codeOf(error);
  // A constraint's message names it and not the row; other messages quote at most an identifier.
  return Object.assign(new Error(code === '' ? message : `${message} (${code})`), { stack, code });
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
