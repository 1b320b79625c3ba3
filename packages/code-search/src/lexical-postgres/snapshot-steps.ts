import { untilAborted } from '@sluice/core/async';
import type { RepoIndex } from '@sluice/core/repo';
import { storableText } from '@sluice/core/text';
import { bestWeight, joinedPaths } from '../lexical/blob-paths.ts';
import { type ChunkedBlob, LIST_LIMIT, PUT_BLOBS } from '../lexical/index-protocol.ts';
import type { SnapshotSteps } from '../lexical/index-snapshot.ts';
import { repoMark } from '../lexical/word-vector.ts';
import type { IndexConnection } from './index-connection.ts';
import { SCHEMA } from './index-schema.ts';
import type { PgUpdate } from './pg-update.ts';
import { repathBlobs } from './repath-blobs.ts';

type PathsByBlob = ReadonlyMap<string, readonly string[]>;

/*
 * Each step is one transaction, made on the connection that holds the repository's lock: a process that lost the lock can
 * write no more. Killed between any two, the index answers as before the update, and the next one finds what was done.
 */
export function snapshotSteps(update: PgUpdate): SnapshotSteps {
  const { db, repo, chunker } = update;
  const pathsByBlob = new Map<string, string[]>();
  let missing: string[] | null = null;
  // The last blobs are written while the next ones are parsed and counted.
  let writing: Promise<unknown> = Promise.resolve();
  return {
    async list(files) {
      for (const { path, blob } of files) {
        const paths = pathsByBlob.get(blob);
        if (paths === undefined) pathsByBlob.set(blob, [storableText(path, '\u{FFFD}')]);
        else paths.push(storableText(path, '\u{FFFD}'));
      }
    },
    // Each is named once, so a blob that cannot be read does not keep the update going for ever.
    async missing() {
      await writing;
      if (missing === null) {
        const rows = await db.query<{ blob: string }>(`select blob from ${SCHEMA}.blobs where repo = $1`, [repo]);
        const known = new Set(rows.map(({ blob }) => blob));
        missing = [...pathsByBlob.keys()].filter((blob) => !known.has(blob));
      }
      return missing.splice(0, LIST_LIMIT);
    },
    async put(blobs) {
      const counted = await untilAborted(countBlobs({ repo, chunker, pathsByBlob }, blobs), update.signal);
      await writing;
      writing = putBlobs({ db, repo }, counted);
      writing.catch(() => {}); // the next step throws it
    },
    async finish() {
      await writing;
      return finish(update, pathsByBlob);
    },
    sweep: () => sweepSome(db, repo),
  };
}

/** Blobs under the paths that the snapshot gives them, with the words of their chunks. */
async function countBlobs(
  { repo, chunker, pathsByBlob }: Pick<PgUpdate, 'repo' | 'chunker'> & { readonly pathsByBlob: PathsByBlob },
  blobs: readonly ChunkedBlob[],
) {
  const listed = blobs.flatMap(({ blob, chunks }) => {
    const paths = pathsByBlob.get(blob);
    return paths === undefined ? [] : [{ blob, chunks, paths: joinedPaths(paths), weight: bestWeight(paths) }];
  });
  const rows = listed.flatMap(({ blob, chunks, paths }) => chunks.map((chunk) => ({ ...chunk, blob, paths })));
  return { listed, rows, vectors: await chunker.count(rows, repoMark(repo)) };
}

/** Indexes blobs. One that is there already stays as it is. */
async function putBlobs(
  { db, repo }: Pick<PgUpdate, 'db' | 'repo'>,
  { listed, rows, vectors }: Awaited<ReturnType<typeof countBlobs>>,
): Promise<void> {
  await db.query(
    `with added as (
       insert into ${SCHEMA}.blobs (repo, blob, paths, weight)
       select $1, blob, paths, weight from unnest($2::text[], $3::text[], $4::real[]) as one (blob, paths, weight)
       on conflict do nothing returning num, blob
     ), cut as (
       select added.num, one.*
       from unnest($5::text[], $6::int[], $7::int[], $8::text[], $9::text[], $10::text[], $11::int[], $12::text[])
         as one (blob, start_line, end_line, symbol, names, text, length, words) join added on added.blob = one.blob
     ), kept as (
       insert into ${SCHEMA}.chunks (blob, start_line, end_line, symbol, names, text)
       select num, start_line, end_line, symbol, names, text from cut
     )
     insert into ${SCHEMA}.words (blob, start_line, length, words)
     select num, start_line, length, words::tsvector from cut`,
    [
      repo,
      listed.map(({ blob }) => blob),
      listed.map(({ paths }) => paths),
      listed.map(({ weight }) => weight),
      rows.map(({ blob }) => blob),
      rows.map(({ startLine }) => startLine),
      rows.map(({ endLine }) => endLine),
      rows.map(({ symbol }) => symbol && storableText(symbol, '\u{FFFD}')),
      rows.map(({ names }) => storableText(names, '\u{FFFD}')),
      rows.map(({ text }) => storableText(text, '\u{FFFD}')),
      vectors.map(({ length }) => length),
      vectors.map(({ words }) => words),
    ],
  );
}

/** Makes the snapshot the one that is searched. Until it ends, searches see nothing of it. */
async function finish(update: PgUpdate, pathsByBlob: PathsByBlob): Promise<RepoIndex> {
  const { db, repo, commit } = update;
  const at = update.clock.now();
  await db.query('begin');
  const numbers = await repathBlobs(update, pathsByBlob);
  await searchedPaths(db, { repo, pathsByBlob, numbers });
  const [counted] = await db.query<{ files: number; chunks: number; words: string }>(
    `select (select count(*)::int from ${SCHEMA}.paths where repo = $1
         and exists (select from ${SCHEMA}.words where words.blob = paths.blob)) as files,
       count(*)::int as chunks, coalesce(sum(words.length), 0) as words
     from ${SCHEMA}.words join ${SCHEMA}.blobs on blobs.num = words.blob where blobs.repo = $1 and blobs.searched`,
    [repo],
  );
  const { files, chunks, words } = counted ?? { files: 0, chunks: 0, words: '0' };
  await db.query(
    `update ${SCHEMA}.repos set commit_id = $2, files = $3, chunks = $4, words = $5, updated_at = $6 where num = $1`,
    [repo, commit, files, chunks, words, at],
  );
  await db.query('commit');
  return { commit, files, chunks, updated_at: at.toISOString() };
}

/** Removes some of the blobs that no path names. Not during an update: its blobs get their paths at the end. */
async function sweepSome(db: IndexConnection, repo: number): Promise<boolean> {
  const gone = await db.query<{ num: string }>(
    `select num from ${SCHEMA}.blobs where repo = $1 and not searched limit ${PUT_BLOBS}`,
    [repo],
  );
  if (gone.length === 0) return false;
  await db.query(
    `with blob as (delete from ${SCHEMA}.blobs where num = any($1)),
       chunk as (delete from ${SCHEMA}.chunks where blob = any($1))
     delete from ${SCHEMA}.words where blob = any($1)`,
    [gone.map(({ num }) => num)],
  );
  return gone.length === PUT_BLOBS;
}

/** Makes the snapshot's paths those that are searched; writes only what differs from those before. */
async function searchedPaths(
  db: IndexConnection,
  snapshot: {
    readonly repo: number;
    readonly pathsByBlob: ReadonlyMap<string, readonly string[]>;
    /** The row number of each blob. */
    readonly numbers: ReadonlyMap<string, string>;
  },
): Promise<void> {
  const { repo, pathsByBlob, numbers } = snapshot;
  const now = new Map<string, string>();
  for (const [blob, paths] of pathsByBlob) {
    const num = numbers.get(blob); // a blob that could not be read has none
    if (num !== undefined) for (const path of paths) now.set(path, num);
  }
  const before = await db.query<{ path: string; blob: string }>(
    `select path, blob from ${SCHEMA}.paths where repo = $1`,
    [repo],
  );
  const gone = before.filter(({ path }) => !now.has(path)).map(({ path }) => path);
  for (const { path, blob } of before) if (now.get(path) === blob) now.delete(path);
  for (let at = 0; at < gone.length; at += LIST_LIMIT) {
    await db.query(`delete from ${SCHEMA}.paths where repo = $1 and path = any($2)`, [
      repo,
      gone.slice(at, at + LIST_LIMIT),
    ]);
  }
  const changed = [...now];
  for (let at = 0; at < changed.length; at += LIST_LIMIT) {
    const some = changed.slice(at, at + LIST_LIMIT);
    await db.query(
      `insert into ${SCHEMA}.paths (repo, path, blob) select $1, path, blob from unnest($2::text[], $3::bigint[]) as one (path, blob)
       on conflict (repo, path) do update set blob = excluded.blob`,
      [repo, some.map(([path]) => path), some.map(([, num]) => num)],
    );
  }
  await db.query(
    `update ${SCHEMA}.blobs set searched = not searched
     where repo = $1 and searched <> exists (select from ${SCHEMA}.paths where paths.blob = blobs.num)`,
    [repo],
  );
}
