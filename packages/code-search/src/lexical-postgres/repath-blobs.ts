import { bestWeight, joinedPaths } from '../lexical/blob-paths.ts';
import { PUT_BLOBS } from '../lexical/index-protocol.ts';
import { repoMark } from '../lexical/word-vector.ts';
import { SCHEMA } from './index-schema.ts';
import type { PgUpdate } from './pg-update.ts';

interface MovedChunk {
  readonly blob: string;
  readonly startLine: number;
  readonly names: string;
  readonly text: string;
}

/**
 * Indexes again the blobs whose paths have changed: moved or copied files.
 *
 * @returns the row numbers of all blobs of the repository
 */
export async function repathBlobs(
  update: Pick<PgUpdate, 'db' | 'repo' | 'chunker'>,
  pathsByBlob: ReadonlyMap<string, readonly string[]>,
): Promise<ReadonlyMap<string, string>> {
  const known = await update.db.query<{ num: string; blob: string; paths: string }>(
    `select num, blob, paths from ${SCHEMA}.blobs where repo = $1`,
    [update.repo],
  );
  const moved = known.flatMap(({ num, blob, paths: before }) => {
    const paths = pathsByBlob.get(blob);
    if (paths === undefined || joinedPaths(paths) === before) return [];
    return [{ num, paths: joinedPaths(paths), weight: bestWeight(paths) }];
  });
  for (let at = 0; at < moved.length; at += PUT_BLOBS) await repathSome(update, moved.slice(at, at + PUT_BLOBS));
  return new Map(known.map(({ num, blob }) => [blob, num]));
}

async function repathSome(
  { db, repo, chunker }: Pick<PgUpdate, 'db' | 'repo' | 'chunker'>,
  moved: readonly { num: string; paths: string; weight: number }[],
): Promise<void> {
  await db.query(
    `update ${SCHEMA}.blobs set paths = one.paths, weight = one.weight
     from unnest($1::bigint[], $2::text[], $3::real[]) as one (num, paths, weight) where blobs.num = one.num`,
    [moved.map(({ num }) => num), moved.map(({ paths }) => paths), moved.map(({ weight }) => weight)],
  );
  const chunks = await db.query<MovedChunk>(
    `select blob, start_line as "startLine", names, text from ${SCHEMA}.chunks where blob = any($1::bigint[])`,
    [moved.map(({ num }) => num)],
  );
  const pathsOf = new Map(moved.map(({ num, paths }) => [num, paths]));
  const sources = chunks.map((chunk) => ({ ...chunk, paths: pathsOf.get(chunk.blob) ?? '' }));
  const vectors = await chunker.count(sources, repoMark(repo));
  await db.query(
    `update ${SCHEMA}.words set length = one.length, words = one.words::tsvector
     from unnest($1::bigint[], $2::int[], $3::int[], $4::text[]) as one (blob, start_line, length, words)
     where words.blob = one.blob and words.start_line = one.start_line`,
    [
      chunks.map(({ blob }) => blob),
      chunks.map(({ startLine }) => startLine),
      vectors.map(({ length }) => length),
      vectors.map(({ words }) => words),
    ],
  );
}
