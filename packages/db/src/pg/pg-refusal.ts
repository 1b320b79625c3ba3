import { DatabaseRefusal } from '../engine/database-refusal.ts';
import { isAway, pgFailure } from './pg-failure.ts';

/** Errors that an operator can fix, with instructions; others without their query. */
export function pgRefusal(error: unknown): unknown {
  if (error instanceof DatabaseRefusal) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const sentences: Record<string, string> = {
    '28P01': 'Postgres refused the password in DATABASE_URL.',
    '28000': 'Postgres does not let this user in: check the user in DATABASE_URL and pg_hba.conf.',
    '3D000': 'The database named in DATABASE_URL does not exist: create it with "createdb".',
    '42501': 'The user in DATABASE_URL may not make tables: give it that right on the database.',
  };
  const sentence =
    sentences[code] ?? (isAway(error) ? 'Postgres cannot be reached: check DATABASE_URL and start it.' : null);
  return sentence === null
    ? pgFailure(error)
    : new DatabaseRefusal('unreachable', sentence, { cause: pgFailure(error) });
}
