import type Sqlite from 'better-sqlite3';

/** Pages that stay free, so that a steady load does not make the file shrink and grow: 4 MiB. */
const PAGES_KEPT_FREE = 1_024;
/** Moved in one transaction: 512 KiB, 2.5 ms of CPU time. */
const PAGES_AT_ONCE = 128;
/** Also looks at tables that this connection has not queried: reads have a connection of their own. */
const ALL_TABLES = 0x10002;

const ROWS_WHEN_BUSY = 1_000;
/** Rows of these with the same value in a column; one has it in all columns. */
const OF_A_VALUE = 10;

/** Lets SQLite count again what has grown since it last counted. It reads a sample of each index. */
export function optimize(writer: Sqlite.Database): void {
  writer.pragma(`optimize = ${ALL_TABLES}`);
  countAsBusy(writer);
}

/**
 * Counts the indexes that hold some rows alone, the queue, the slots, what is due, as if each had a thousand, where it has fewer. Most
 * were empty when they were counted, and SQLite would plan for ever as if reading them whole were free, with ten thousand
 * rows in them an hour later.
 */
export function countAsBusy(writer: Sqlite.Database): void {
  const isCounted = "select count(*) from sqlite_schema where name in ('sqlite_stat1', 'sqlite_stat4')";
  if (writer.prepare(isCounted).pluck().get() !== 2) return;
  const partial = "select name from sqlite_schema where type = 'index' and sql like '% where %'";
  const few = writer
    .prepare<[number], { idx: string; stat: string }>(
      `select idx, stat from sqlite_stat1 where idx in (${partial}) and cast(stat as integer) < ?`,
    )
    .all(ROWS_WHEN_BUSY);
  const setCount = writer.prepare('update sqlite_stat1 set stat = ? where idx = ?');
  const forgetSamples = writer.prepare('delete from sqlite_stat4 where idx = ?');
  for (const { idx, stat } of few) {
    const columns = stat
      .split(' ')
      .slice(1)
      .map((_, at, all) => (at === all.length - 1 ? 1 : OF_A_VALUE));
    setCount.run([ROWS_WHEN_BUSY, ...columns].join(' '), idx);
    forgetSamples.run(idx);
  }
  if (few.length > 0) writer.exec('analyze sqlite_schema'); // reads no table: this connection plans by it
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
