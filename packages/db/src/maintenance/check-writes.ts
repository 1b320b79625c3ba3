import { createSingleFlight } from '@sluice/core/async';
import type { HealthCheck } from '@sluice/core/operation';
import type { Database } from '../engine/database.ts';

/** The value of `Retry-After` of a probe that failed: the next one finds another result. */
const WRITE_EVERY_MS = 5_000;

export interface CheckedDatabase {
  /** The database to use: the check learns from what is written to it. */
  readonly database: Database;
  readonly health: HealthCheck;
}

/**
 * Checks whether a database can be read and written: a full or read-only one can still be read. The endpoint is public, so
 * concurrent checks share one, which otherwise could each hold a connection of a database that hangs, and a check writes at
 * most once in a while. In between, the result is that of the last write, by a check or, if that failed, by anybody.
 *
 * @param elapsedMs a clock that never goes back
 */
export function checkWrites(database: Database, elapsedMs: () => number = () => performance.now()): CheckedDatabase {
  const checks = createSingleFlight<'health', void>();
  let lastWrite: { readonly at: number; readonly failure: unknown } = { at: Number.NEGATIVE_INFINITY, failure: null };

  const tx: Database['tx'] = async (work) => {
    try {
      return await database.tx(work);
    } catch (error) {
      if (database.isUnwritable(error)) lastWrite = { at: elapsedMs(), failure: database.failure(error) };
      throw error;
    }
  };

  async function check(): Promise<void> {
    const isDue = elapsedMs() - lastWrite.at >= WRITE_EVERY_MS;
    if (!isDue && lastWrite.failure !== null) throw lastWrite.failure;
    try {
      await tx(async (db) => {
        await db.select().from(database.tables.slots).limit(1);
        if (isDue) await database.rewrite();
      });
    } catch (error) {
      if (database.isHeldByOther(error)) return;
      throw database.failure(error);
    }
    if (isDue) lastWrite = { at: elapsedMs(), failure: null };
  }

  return {
    database: { ...database, tx },
    health: {
      check: async (signal) => {
        signal.throwIfAborted();
        await checks.run('health', check);
      },
    },
  };
}
