import type Sqlite from 'better-sqlite3';

/** Pages that stay free, so that a steady load does not make the file shrink and grow: 4 MiB. */
const PAGES_KEPT_FREE = 1_024;
/** Moved in one transaction: 512 KiB, 2.5 ms of CPU time. */
const PAGES_AT_ONCE = 128;
/** Also looks at tables that this connection has not queried: reads have a connection of their own. */
const ALL_TABLES = 0x10002;

/** Lets SQLite count again what has grown since it last counted. It reads a sample of each index. */
export function optimize(writer: Sqlite.Database): void {
  writer.pragma(`optimize = ${ALL_TABLES}`);
  forgetPartialIndexes(writer);
}

/**
 * Drops what was counted of the indexes that hold some rows alone: the queue, the slots, what is due. Most were empty when they
 * were counted, and SQLite would plan for ever as if reading them whole were free, with ten thousand rows in them an hour
 * later. Without a count it takes a value in them for rare, as all queries here are written for.
 */
export function forgetPartialIndexes(writer: Sqlite.Database): void {
  const counts = writer
    .prepare("select name from sqlite_schema where name in ('sqlite_stat1', 'sqlite_stat4')")
    .pluck();
  const partial = "select name from sqlite_schema where type = 'index' and sql like '% where %'";
  const changed = (counts.all() as string[]).map(
    (table) => writer.prepare(`delete from ${table} where idx in (${partial})`).run().changes,
  );
  if (changed.some((rows) => rows > 0)) writer.exec('analyze sqlite_schema'); // reads no table: this connection plans by it
}

/**
 * Gives free pages at the end of the file back to the disk. Does nothing to a file that was made before this release,
 * until `sluice admin vacuum` has rewritten it.
 *
 * @returns whether there are more to give
 */
export function releasePages(writer: Sqlite.Database): boolean {
  const spare = () => (writer.pragma('freelist_count', { simple: true }) as number) - PAGES_KEPT_FREE;
  const before = spare();
  if (before <= 0) return false;
  writer.pragma(`incremental_vacuum(${Math.min(before, PAGES_AT_ONCE)})`);
  const after = spare();
  return after > 0 && after < before;
}
