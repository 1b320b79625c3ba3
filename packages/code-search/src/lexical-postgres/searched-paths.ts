import { LIST_LIMIT } from '../lexical/index-protocol.ts';
import type { IndexConnection } from './index-connection.ts';
import { SCHEMA } from './index-schema.ts';

/** Makes the snapshot's paths those that are searched; writes only what differs from those before. */
export async function searchedPaths(
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
