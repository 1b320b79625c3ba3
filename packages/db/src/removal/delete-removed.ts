import type { RepoId } from '@sluice/core/id';
import { and, asc, desc, eq, exists, inArray, sql } from 'drizzle-orm';
import { prepared } from '../store/prepared.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { deleteHistory, type Piece } from './delete-history.ts';
import { isRemoved } from './is-visible.ts';

/** The size of a piece, as `Piece` counts. On SQLite it takes up to some 10 ms, in which all else waits. */
export const PIECE = 2_000;
/** What an issue counts for, with its plans and what else refers to it, once its history is deleted. */
const ISSUE = 100;

const selectOldest = prepared(({ context, db }) => {
  const { repos } = context.database.tables;
  return db.select({ id: repos.id }).from(repos).where(isRemoved({ repos })).orderBy(asc(repos.removedAt)).limit(1);
});

/**
 * Deletes a piece of what was removed, in one transaction. The next one goes on where this one ended, also after a
 * crash.
 *
 * @returns whether there may be more
 */
export async function deleteRemoved(context: StoreContext): Promise<boolean> {
  // Nearly always there is none; then no transaction is begun.
  const [next] = await selectOldest({ context, db: context.database.read }, {});
  if (next === undefined) return false;
  await write(context, (write) => deletePiece(write, next.id));
  return true;
}

/** Deletes up to a piece of a removed repository: its issues, newest first, and at last the repository. */
export async function deletePiece(write: Write, repoId: RepoId): Promise<void> {
  const { db, now, context } = write;
  const { repos, issues, codehostRemovals: removals } = context.database.tables;
  // One of several processes deletes, and the others wait for its row instead of for each other's.
  const held = await db
    .update(repos)
    .set({ updatedAt: now })
    .where(and(eq(repos.id, repoId), isRemoved({ repos })))
    .returning({ id: repos.id });
  if (held.length === 0) return;
  const piece: Piece = { left: PIECE };
  while (piece.left >= ISSUE) {
    const most = Math.floor(piece.left / ISSUE);
    const some = await db
      .select({ id: issues.id })
      .from(issues)
      // One that a process of an earlier release has started is ended before the next piece. (For `is null` SQLite would read
      // the index of the active remotes, and with it every issue that has ended.)
      .where(and(eq(issues.repoId, repoId), sql`coalesce(${issues.activeRemote}, '') = ''`))
      .orderBy(desc(issues.ordinal))
      .limit(most);
    if (some.length === 0) break;
    const ids = some.map(({ id }) => id);
    if (!(await deleteHistory(write, ids, piece))) return;
    await db.delete(issues).where(inArray(issues.id, ids));
    piece.left -= ids.length * ISSUE;
  }
  if (piece.left < ISSUE) return;
  const someRemovals = db
    .select({ origin: removals.origin })
    .from(removals)
    .where(eq(removals.repoId, repoId))
    .limit(piece.left);
  const deleted = await db
    .delete(removals)
    .where(and(eq(removals.repoId, repoId), inArray(removals.origin, someRemovals)))
    .returning({ of: removals.repoId });
  piece.left -= deleted.length;
  if (piece.left <= 0) return;
  const hasIssues = exists(db.select({ one: sql`1` }).from(issues).where(eq(issues.repoId, repos.id)));
  await db.delete(repos).where(and(eq(repos.id, repoId), sql`not ${hasIssues}`));
}
