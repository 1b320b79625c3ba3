import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

export type IndexDatabase = Database.Database;

/** Raised with every change of the schema or of what is indexed: an index of another version is made anew. */
const VERSION = 2;

/*
 * What a blob holds is stored once per repository: `chunks` has the text, the full-text table `words_<repo>` the
 * words. `paths` is what a search sees. A blob without a path is work done ahead (or left over) and is never found.
 * One full-text table a repository: words are weighed by how rare they are in that repository alone, and dropping
 * one is dropping a table.
 */
const SCHEMA = `
create table repos (
  num integer primary key,
  repo text not null unique,
  commit_id text,
  files integer not null default 0,
  chunks integer not null default 0,
  updated_at text
);
create table blobs (
  num integer primary key,
  repo integer not null references repos,
  blob text not null,
  paths text not null,
  weight real not null,
  unique (repo, blob)
);
create table chunks (
  num integer primary key,
  blob integer not null references blobs,
  start_line integer not null,
  end_line integer not null,
  symbol text,
  names text not null,
  text text not null
);
create index chunks_by_blob on chunks (blob, start_line);
create table paths (
  repo integer not null references repos,
  path text not null,
  blob integer not null references blobs,
  primary key (repo, path)
) without rowid;
create index paths_by_blob on paths (blob);
pragma user_version = ${VERSION};
`;

/** Opens the index, or makes it anew where the file is damaged or of another version; `rebuilt` then says why. */
export function openIndexDatabase(file: string): { db: IndexDatabase; rebuilt: string | null } {
  let damage = 'the file was made by another version';
  try {
    const db = open(file);
    const version = db.pragma('user_version', { simple: true });
    if (version === VERSION) return { db, rebuilt: null };
    const isNew = version === 0 && db.prepare('select count(*) from sqlite_schema').pluck().get() === 0;
    if (isNew) {
      db.transaction(() => db.exec(SCHEMA)).immediate();
      return { db, rebuilt: null };
    }
    db.close();
  } catch (error) {
    if (!isDamage(error)) throw error;
    damage = error.message;
  }
  return { db: rebuildIndexDatabase(file), rebuilt: damage };
}

/** Deletes the file, whatever it holds, and starts an empty index. It is a cache: all of it can be read again. */
export function rebuildIndexDatabase(file: string): IndexDatabase {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
  const db = open(file);
  db.transaction(() => db.exec(SCHEMA)).immediate();
  return db;
}

/** Whether SQLite says that the file itself is damaged. */
export function isDamage(error: unknown): error is Error {
  return (
    error instanceof Database.SqliteError && (error.code.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB')
  );
}

function open(file: string): IndexDatabase {
  mkdirSync(dirname(file), { recursive: true });
  // It holds the source of private repositories. SQLite gives its side files the mode of the database.
  closeSync(openSync(file, 'a', 0o600));
  const db = new Database(file, { timeout: 5_000 });
  try {
    db.pragma('journal_mode = wal');
    // Under WAL this survives a killed process; what a power cut could take of a cache is read again.
    db.pragma('synchronous = normal');
    db.pragma('journal_size_limit = 67108864');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
