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
