import { gt, notInArray, type SQL } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import type { Db } from '../schema/kit.ts';

/** Before any removal. A comparison, because `is not null` would not use the index. */
const EVER = new Date(0);

/**
 * Selects the issues that anybody may still see. Those of a removed repository are hidden from the moment of its removal, and
 * deleted in pieces after it. Removed repositories are few, and read from an index of their own.
 */
export function isVisible({ tables }: Pick<Database, 'tables'>, db: Db): SQL {
  return notInArray(tables.issues.repoId, removedRepos(tables, db));
}

/** The ids of the repositories whose rows are being deleted. */
export function removedRepos({ repos }: Pick<Database['tables'], 'repos'>, db: Db) {
  return db.select({ id: repos.id }).from(repos).where(isRemoved({ repos }));
}

/** Selects the repositories whose rows are being deleted. */
export function isRemoved({ repos }: Pick<Database['tables'], 'repos'>): SQL {
  return gt(repos.removedAt, EVER);
}
