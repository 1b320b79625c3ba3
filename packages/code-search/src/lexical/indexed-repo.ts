import type { RepoIndex } from '@sluice/core/repo';
import type { IndexDatabase } from './index-database.ts';

export interface IndexedRepo {
  readonly num: number;
  readonly index: RepoIndex | null;
}

interface Row {
  num: number;
  commit_id: string | null;
  files: number;
  chunks: number;
  updated_at: string | null;
}

/** The name of a repository's full-text table. `num` is our own row number, so it is safe inside SQL. */
export function wordsTable(num: number): string {
  return `words_${num}`;
}

export function findRepo(db: IndexDatabase, repo: string): IndexedRepo | null {
  const row = db
    .prepare<[string], Row>('select num, commit_id, files, chunks, updated_at from repos where repo = ?')
    .get(repo);
  if (row === undefined) return null;
  const { commit_id: commit, files, chunks, updated_at } = row;
  return { num: row.num, index: commit === null || updated_at === null ? null : { commit, files, chunks, updated_at } };
}

/** The row number of a repository, which is made with its full-text table when it is new. */
export function openRepo(db: IndexDatabase, repo: string): number {
  const found = findRepo(db, repo);
  if (found !== null) return found.num;
  return db
    .transaction(() => {
      const num = Number(db.prepare('insert into repos (repo) values (?)').run(repo).lastInsertRowid);
      // `contentless_delete` keeps the words only: the text stands in `chunks`, and rows can still be removed.
      db.exec(
        `create virtual table ${wordsTable(num)} using fts5 (path, name, identifiers, body, content = '', contentless_delete = 1,
         tokenize = 'porter unicode61 remove_diacritics 2')`,
      );
      return num;
    })
    .immediate();
}

/** Removes all that is known of a repository. */
export function dropRepo(db: IndexDatabase, repo: string): void {
  const found = findRepo(db, repo);
  if (found === null) return;
  db.transaction(() => {
    db.exec(`drop table ${wordsTable(found.num)}`);
    db.prepare('delete from paths where repo = ?').run(found.num);
    db.prepare('delete from chunks where blob in (select num from blobs where repo = ?)').run(found.num);
    db.prepare('delete from blobs where repo = ?').run(found.num);
    db.prepare('delete from repos where num = ?').run(found.num);
  }).immediate();
}
