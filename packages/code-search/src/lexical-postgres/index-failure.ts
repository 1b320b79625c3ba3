import { AppError } from '@sluice/core/error';

/** The connection was lost or cannot be had: classes 08 (connection) and 57P (operator), and too many of them. */
const AWAY_STATE = /^(?:08|57P|53300)/;
const AWAY_SYSTEM = /^E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|NOENT)$/;
const AWAY_WORDS = /Connection terminated|timeout exceeded|connection error|Connection is closed|not queryable/;
/** The schema or a table is missing because it was dropped; it is created again. */
const GONE = new Set(['42P01', '3F000']);

/** Turns an error of Postgres or its driver into a failure of ours. Nothing of the query or its values is in it. */
export function indexFailure(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const state = stateOf(thrown);
  const isAway = AWAY_STATE.test(state) || AWAY_SYSTEM.test(state) || (state === '' && AWAY_WORDS.test(String(thrown)));
  const detail = isAway
    ? 'The code index cannot be reached: Postgres does not answer.'
    : `The code index could not be read or written (${state === '' ? 'unknown' : state}).`;
  const cause = Object.assign(new Error(`Postgres: ${state === '' ? 'no code' : state}`), { state, isAway });
  return new AppError('not_ready', { detail }, { cause });
}

/** Whether the same query may well be answered on another connection. */
export function wasAway(error: unknown): boolean {
  return causeOf(error)?.isAway === true;
}

/** Whether the tables have to be made first. */
export function wasGone(error: unknown): boolean {
  return GONE.has(causeOf(error)?.state ?? '');
}

function causeOf(error: unknown): { isAway?: boolean; state?: string } | null {
  return error instanceof AppError && typeof error.cause === 'object' ? error.cause : null;
}

function stateOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(stateOf).find((state) => state !== '') ?? ''; // one for each address of a name
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return '';
  return typeof thrown.code === 'string' ? thrown.code : '';
}
