import type { RepoIndex } from '@sluice/core/repo';
import { bestWeight, joinedPaths } from './blob-paths.ts';
import type { CodeChunk } from './code-chunk.ts';
import type { IndexDatabase } from './index-database.ts';
import { type ChunkedBlob, LIST_LIMIT, type ListedFile, PUT_BLOBS } from './index-protocol.ts';
import { openRepo, wordsTable } from './indexed-repo.ts';
import { splitIdentifiers, withInnerWords } from './split-identifier.ts';

/*
 * One update of one repository, in steps that are each one transaction. Killed between any two, the index answers as
 * before the update, and the next update finds the blobs that were done. Only `finish` changes what a search sees.
 */

/** The snapshot that is being indexed. It lives in the thread's memory: an update does not outlive the thread. */
export interface IndexUpdate {
  readonly repo: number;
  readonly pathsByBlob: Map<string, string[]>;
  /** The blobs that are still to be read, then those to be re-indexed under other paths; made when first asked for. */
  missing: string[] | null;
  moved: string[] | null;
}

export function beginUpdate(db: IndexDatabase, repo: string): IndexUpdate {
  return { repo: openRepo(db, repo), pathsByBlob: new Map(), missing: null, moved: null };
}

export function listFiles(update: IndexUpdate, files: readonly ListedFile[]): void {
  for (const { path, blob } of files) {
    const paths = update.pathsByBlob.get(blob);
    if (paths === undefined) update.pathsByBlob.set(blob, [path]);
    else paths.push(path);
  }
}

/** The next blobs to read. Each is named once, so a blob that cannot be read does not keep the update going for ever. */
export function nextMissing(db: IndexDatabase, update: IndexUpdate): string[] {
  if (update.missing === null) {
    const known = new Set(
      db.prepare<[number], string>('select blob from blobs where repo = ?').pluck().all(update.repo),
    );
    update.missing = [...update.pathsByBlob.keys()].filter((blob) => !known.has(blob));
  }
  return update.missing.splice(0, LIST_LIMIT);
}

/** Indexes blobs under the paths that the snapshot gives them. A blob that is there already stays as it is. */
export function putBlobs(db: IndexDatabase, update: IndexUpdate, blobs: readonly ChunkedBlob[]): void {
  const words = insertWords(db, update.repo);
  const addBlob = db.prepare<[number, string, string, number], number>(
    'insert into blobs (repo, blob, paths, weight) values (?, ?, ?, ?) on conflict do nothing returning num',
  );
  const addChunk = db.prepare<[number, number, number, string | null, string, string]>(
    'insert into chunks (blob, start_line, end_line, symbol, names, text) values (?, ?, ?, ?, ?, ?)',
  );
  db.transaction(() => {
    for (const { blob, chunks } of blobs) {
      const paths = update.pathsByBlob.get(blob);
      if (paths === undefined) continue;
      const num = addBlob.pluck().get(update.repo, blob, joinedPaths(paths), bestWeight(paths));
      if (num === undefined) continue;
      for (const chunk of chunks) {
        const { startLine, endLine, symbol, names, text } = chunk;
        words(Number(addChunk.run(num, startLine, endLine, symbol, names, text).lastInsertRowid), paths, chunk);
      }
    }
  }).immediate();
}

/** Re-indexes some of the blobs whose paths are not those that they were indexed under: moved or copied files. */
export function repathSome(db: IndexDatabase, update: IndexUpdate): boolean {
  update.moved ??= movedBlobs(db, update);
  const some = update.moved.splice(0, PUT_BLOBS);
  const words = insertWords(db, update.repo);
  const forget = db.prepare<[number]>(`delete from ${wordsTable(update.repo)} where rowid = ?`);
  const mark = db.prepare<[string, number, number, string], number>(
    'update blobs set paths = ?, weight = ? where repo = ? and blob = ? returning num',
  );
  const chunksOf = db.prepare<[number], { num: number } & Pick<CodeChunk, 'names' | 'text'>>(
    'select num, names, text from chunks where blob = ?',
  );
  db.transaction(() => {
    for (const blob of some) {
      const paths = update.pathsByBlob.get(blob) ?? [];
      const num = mark.pluck().get(joinedPaths(paths), bestWeight(paths), update.repo, blob);
      for (const chunk of num === undefined ? [] : chunksOf.all(num)) {
        forget.run(chunk.num);
        words(chunk.num, paths, chunk);
      }
    }
  }).immediate();
  return update.moved.length > 0;
}

/** Makes the snapshot the one that is searched. */
export function finishUpdate(db: IndexDatabase, update: IndexUpdate, made: { commit: string; at: string }): RepoIndex {
  const addPath = db.prepare<[string, number, string]>(
    'insert into paths (repo, path, blob) select repo, ?, num from blobs where repo = ? and blob = ?',
  );
  const count = db.prepare<[number, number], { files: number; chunks: number }>(
    `select (select count(*) from paths where repo = ? and exists (select 1 from chunks where chunks.blob = paths.blob)) as files,
            (select count(*) from chunks where blob in (select blob from paths where repo = ?)) as chunks`,
  );
  return db
    .transaction((): RepoIndex => {
      db.prepare('delete from paths where repo = ?').run(update.repo);
      for (const [blob, paths] of update.pathsByBlob) for (const path of paths) addPath.run(path, update.repo, blob);
      const { files, chunks } = count.get(update.repo, update.repo) ?? { files: 0, chunks: 0 };
      db.prepare('update repos set commit_id = ?, files = ?, chunks = ?, updated_at = ? where num = ?').run(
        made.commit,
        files,
        chunks,
        made.at,
        update.repo,
      );
      return { commit: made.commit, files, chunks, updated_at: made.at };
    })
    .immediate();
}

/** Removes some of the blobs that no path names. Not during an update: its blobs get their paths at the end. */
export function sweepSome(db: IndexDatabase, repo: number): boolean {
  const orphans = db
    .prepare<[number, number], number>(
      'select num from blobs where repo = ? and num not in (select blob from paths) limit ?',
    )
    .pluck()
    .all(repo, PUT_BLOBS);
  db.transaction(() => {
    for (const num of orphans) {
      db.prepare(`delete from ${wordsTable(repo)} where rowid in (select num from chunks where blob = ?)`).run(num);
      db.prepare('delete from chunks where blob = ?').run(num);
      db.prepare('delete from blobs where num = ?').run(num);
    }
  }).immediate();
  return orphans.length === PUT_BLOBS;
}

function movedBlobs(db: IndexDatabase, update: IndexUpdate): string[] {
  const known = db.prepare<[number], { blob: string; paths: string }>('select blob, paths from blobs where repo = ?');
  return known
    .all(update.repo)
    .filter(({ blob, paths }) => {
      const now = update.pathsByBlob.get(blob);
      return now !== undefined && joinedPaths(now) !== paths;
    })
    .map(({ blob }) => blob);
}

function insertWords(db: IndexDatabase, repo: number) {
  const add = db.prepare<[number, string, string, string, string]>(
    `insert into ${wordsTable(repo)} (rowid, path, name, identifiers, body) values (?, ?, ?, ?, ?)`,
  );
  return (chunk: number, paths: readonly string[], { names, text }: Pick<CodeChunk, 'names' | 'text'>): void => {
    const named = joinedPaths(paths);
    add.run(chunk, withInnerWords(named), withInnerWords(names), splitIdentifiers(text), text);
  };
}
