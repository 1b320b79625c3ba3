import { AppError } from '@sluice/core/error';
import { DrizzleQueryError } from 'drizzle-orm';

/** The driver's error: drizzle wraps it in one whose message contains the query and its parameters. */
function driverError(error: unknown): unknown {
  return error instanceof DrizzleQueryError && error.cause !== undefined ? error.cause : error;
}

/** Two transactions conflicted and Postgres rolled this one back. */
const CONFLICTS = new Set(['40001', '40P01']);
/**
 * The server ended the connection or refuses new ones: classes 08 (connection) and 57P (operator), too many
 * connections, and a transaction that was idle for too long because its process was stopped.
 */
const AWAY = /^(?:08|57P|53300|25P03)/;
/** The server ended a statement that took too long or waited too long for a lock. */
const OVERDUE = new Set(['55P03', '57014']);
/** Why the server takes no changes. It is a standby, or was set read-only; its disk is full. */
const UNWRITABLE = new Map([
  ['25006', 'it is read-only'],
  ['53100', 'its disk is full'],
]);
/** Messages of pg itself when the server did not respond. */
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

/**
 * The target of a notification was deleted after this transaction read it. No event may fail for that, and none should lock
 * targets for it; the next try does not find the target.
 */
const TARGET_GONE = 'notification_deliveries_target_id_notification_targets_id_fk';

/** Whether retrying the transaction may succeed. */
export function isConflict(error: unknown): boolean {
  const cause = driverError(error);
  return CONFLICTS.has(codeOf(cause)) || (cause as { constraint?: unknown } | null)?.constraint === TARGET_GONE;
}

/**
 * Whether a prepared statement is stale because tables have changed, or is missing on this connection. The first case
 * has no code of its own and a localised message.
 */
export function isStaleStatement(error: unknown): boolean {
  const cause = driverError(error);
  if (codeOf(cause) === '26000') return true;
  return codeOf(cause) === '0A000' && (cause as { routine?: unknown }).routine === 'RevalidateCachedQuery';
}

/** Whether the server takes no changes, also of an error that `pgFailure` made. */
export function isUnwritable(error: unknown): boolean {
  return (
    UNWRITABLE.has(codeOf(driverError(error))) || (error instanceof AppError && UNWRITABLE.has(codeOf(error.cause)))
  );
}

/** Whether a lock timeout expired. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(driverError(error)) === '55P03';
}

/** Whether Postgres ended this statement because others waited for it and it for them. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(driverError(error)) === '40P01';
}

/** Whether the server is unreachable or the connection was lost. */
export function isAway(error: unknown): boolean {
  const cause = driverError(error);
  const code = codeOf(cause);
  if (AWAY.test(code) || AWAY_SYSTEM.has(code)) return true;
  if (isUnanswered(cause)) return true;
  if (cause instanceof AggregateError) return cause.errors.some(isAway); // one for each address of a name
  return cause instanceof Error && AWAY_WORDS.test(cause.message);
}

/** Whether the server accepts connections but does not respond; a retry would take as long again. */
export function isUnanswered(error: unknown): boolean {
  const cause = driverError(error);
  return cause instanceof Error && UNANSWERED.test(cause.message);
}

/**
 * The failure without the query, its parameters, and the values in `detail` and `where`, so that it may be logged and
 * shown.
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
  const code = codeOf(cause);
  const why = UNWRITABLE.get(code);
  if (why !== undefined) {
    const detail = `The database takes no changes, because ${why}: nothing was changed.`;
    return new AppError('not_ready', { detail }, { cause: bare(cause) });
  }
  return code === '' ? cause : bare(cause);
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
