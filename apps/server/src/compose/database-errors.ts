import { DatabaseRefusal } from '@sluice/db';
import { StartError } from '../process/start-error.ts';

/** What to throw for an error of the database packages: a refusal is a StartError, whose message the operator sees. */
export function toStartError(error: unknown): unknown {
  if (!(error instanceof DatabaseRefusal)) return error;
  return new StartError(error.message, { cause: error, isInUse: error.reason === 'in_use' });
}
