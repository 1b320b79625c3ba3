import type { IssueId, RepoId } from '@sluice/core';
import { and, asc, desc, eq, exists, inArray, sql } from 'drizzle-orm';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { isRemoved } from './is-visible.ts';

/**
 * The size of a piece. On SQLite a piece takes some 4 ms, in which all else waits: 2,000 events, or fewer rows of
 * kinds that are larger.
 */
export const PIECE = 2_000;
/** What one row counts for, by the usual size of its kind: an entry of a journal is a turn of a model, up to 80 kB. */
const EVENT = 1;
const STEP = 1;
const LOG_CHUNK = 4;
const JOURNAL_ENTRY = 20;
/** With its plans, its diff and its checkpoints. */
const ISSUE = 100;

/** What may still be deleted in this transaction. */
interface Piece {
  left: number;
}

/**
 * Deletes a piece of what was removed, in one transaction. The next one goes on where this one ended, also after a
 * crash.
 *
 * @returns whether there may be more
 */
export async function deleteRemoved(context: StoreContext): Promise<boolean> {
  const { repos } = context.database.tables;
  const oldest = { by: asc(repos.removedAt), which: isRemoved({ repos }) };
  // Nearly always there is none; then no transaction is begun.
  const [next] = await context.database.read
    .select({ id: repos.id })
    .from(repos)
    .where(oldest.which)
    .orderBy(oldest.by)
    .limit(1);
  if (next === undefined) return false;
  await write(context, (write) => deletePiece(write, next.id));
  return true;
}

/** Deletes up to a piece of a removed repository: its issues, newest first, and at last the repository. */
export async function deletePiece(write: Write, repoId: RepoId): Promise<void> {
  const { db, now, context } = write;
  const { repos, issues, codehostRemovals: removals } = context.database.tables;
  // Of several processes one deletes, and the others wait for its row instead of for each other's.
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

/**
 * Deletes the rows of issues of which there can be many, as far as the piece goes.
 *
 * @returns whether none is left
 */
export async function deleteHistory(write: Write, ids: readonly IssueId[], piece: Piece): Promise<boolean> {
  const { db, context } = write;
  const { events, steps, journalEntries, commandLog } = context.database.tables;
  const kinds = [
    { table: events, weight: EVENT },
    { table: journalEntries, weight: JOURNAL_ENTRY },
    { table: steps, weight: STEP },
  ];
  for (const { table, weight } of kinds) {
    const most = Math.ceil(piece.left / weight);
    const some = db.select({ ordinal: table.ordinal }).from(table).where(inArray(table.issueId, ids)).limit(most);
    const deleted = await db.delete(table).where(inArray(table.ordinal, some)).returning({ of: table.issueId });
    piece.left -= deleted.length * weight;
    if (piece.left <= 0) return false;
  }
  for (const id of ids) {
    const most = Math.ceil(piece.left / LOG_CHUNK);
    const some = db.select({ seq: commandLog.seq }).from(commandLog).where(eq(commandLog.issueId, id)).limit(most);
    const deleted = await db
      .delete(commandLog)
      .where(and(eq(commandLog.issueId, id), inArray(commandLog.seq, some)))
      .returning({ of: commandLog.issueId });
    piece.left -= deleted.length * LOG_CHUNK;
    if (piece.left <= 0) return false;
  }
  return true;
}
