import type { RepoIndex } from '@sluice/core/repo';
import type { IndexConnection } from './index-connection.ts';
import { SCHEMA } from './index-schema.ts';

export interface IndexedRepo {
  readonly num: number;
  /** Words of all its chunks that are searched. */
  readonly words: number;
  readonly index: RepoIndex | null;
}

interface Row {
  readonly num: number;
  readonly commit_id: string | null;
  readonly files: number;
  readonly chunks: number;
  readonly words: string;
  readonly updated_at: Date | null;
}

export async function findRepo(db: IndexConnection, repo: string): Promise<IndexedRepo | null> {
  const [row] = await db.query<Row>(
    `select num, commit_id, files, chunks, words, updated_at from ${SCHEMA}.repos where repo = $1`,
    [repo],
  );
  if (row === undefined) return null;
  const { num, commit_id: commit, files, chunks, updated_at } = row;
  const index =
    commit === null || updated_at === null ? null : { commit, files, chunks, updated_at: updated_at.toISOString() };
  return { num, words: Number(row.words), index };
}

/** The row number of a repository, which is made when it is new. */
export async function openRepo(db: IndexConnection, repo: string): Promise<number> {
  const found = await findRepo(db, repo);
  if (found !== null) return found.num;
  await db.query(`insert into ${SCHEMA}.repos (repo) values ($1) on conflict do nothing`, [repo]);
  const made = await findRepo(db, repo);
  return made?.num ?? openRepo(db, repo);
}

/** Removes a repository from the index, with immediate effect for searches. */
export async function dropRepo(db: IndexConnection, repo: string): Promise<void> {
  const found = await findRepo(db, repo);
  if (found === null) return;
  const blobs = `select num from ${SCHEMA}.blobs where repo = $1`;
  await db.query('begin');
  await db.query(`delete from ${SCHEMA}.paths where repo = $1`, [found.num]);
  await db.query(`delete from ${SCHEMA}.words where blob in (${blobs})`, [found.num]);
  await db.query(`delete from ${SCHEMA}.chunks where blob in (${blobs})`, [found.num]);
  await db.query(`delete from ${SCHEMA}.blobs where repo = $1`, [found.num]);
  await db.query(`delete from ${SCHEMA}.repos where num = $1`, [found.num]);
  await db.query('commit');
}
