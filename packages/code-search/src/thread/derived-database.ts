import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

/** A database of derived data: when damaged or of another version, it is thrown away. */
export interface DatabaseShape {
  /** Raised with every change of the schema or of what stands in it. */
  readonly version: number;
  readonly schema: string;
  /** The size of a page in bytes, for a new file; SQLite's own unless given. */
  readonly pageBytes?: number;
  /** The set-up of each new connection, e.g. an extension. */
  readonly prepare?: (db: Database.Database) => void;
}

/** Opens the database, or rebuilds it when the file is damaged or of another version; `rebuilt` is the reason. */
export function openDerivedDatabase(
  shape: DatabaseShape,
  file: string,
): { db: Database.Database; rebuilt: string | null } {
  let damage = 'the file was made by another version';
  try {
    const db = open(shape, file);
    const version = db.pragma('user_version', { simple: true });
    if (version === shape.version) return { db, rebuilt: null };
    const isNew = version === 0 && db.prepare('select count(*) from sqlite_schema').pluck().get() === 0;
    if (isNew) {
      fill(shape, db);
      return { db, rebuilt: null };
    }
    db.close();
  } catch (error) {
    if (!isDamage(error)) throw error;
    damage = error.message;
  }
  return { db: rebuildDerivedDatabase(shape, file), rebuilt: damage };
}

/** Deletes the file, whatever it holds, and starts an empty database. */
export function rebuildDerivedDatabase(shape: DatabaseShape, file: string): Database.Database {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true });
  const db = open(shape, file);
  fill(shape, db);
  return db;
}

/** Whether SQLite says that the file itself is damaged. */
export function isDamage(error: unknown): error is Error {
  return (
    error instanceof Database.SqliteError && (error.code.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB')
  );
}

function fill({ version, schema }: DatabaseShape, db: Database.Database): void {
  db.transaction(() => {
    db.exec(schema);
    db.pragma(`user_version = ${version}`);
  }).immediate();
}

function open({ pageBytes, prepare }: DatabaseShape, file: string): Database.Database {
  mkdirSync(dirname(file), { recursive: true });
  // It is made from the source of private repositories. SQLite gives its side files the mode of the database.
  closeSync(openSync(file, 'a', 0o600));
  const db = new Database(file, { timeout: 5_000 });
  try {
    if (pageBytes !== undefined) db.pragma(`page_size = ${pageBytes}`);
    db.pragma('journal_mode = wal');
    // Under WAL this survives a killed process; what a power cut could take of a cache is made again.
    db.pragma('synchronous = normal');
    db.pragma('journal_size_limit = 67108864');
    prepare?.(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
