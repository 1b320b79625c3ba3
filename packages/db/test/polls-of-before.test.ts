import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedPostgres } from '@sluice/testing';
import { expect, it } from 'vitest';
import { type Migration, readMigrations } from '../src/engine/migrations.ts';
import { migratePg } from '../src/pg/migrate-pg.ts';
import { migrateSqlite } from '../src/sqlite/migrate-sqlite.ts';
import { openWriter } from '../src/sqlite/sqlite-connections.ts';
import { forPg, rowsOf } from './first-schema-rows.ts';
import { nameOf } from './pg-schema.ts';

/** Polls of two repositories at the code host. One is registered, beside a repository that is at no code host. */
const rows = `${rowsOf('first-schema-rows.sql')}
insert into repos (id, user_id, name, url, canonical_remote, default_branch, provider, codehost_repo_id, settings, created_at, updated_at)
  select '00000000-0000-7000-8000-0000000000c2', user_id, 'acme/product', 'https://example.test/acme/product', 'https://example.test/acme/product', 'main', 'git', 'registered', settings, created_at, updated_at from repos;
insert into codehost_polls (codehost_repo_id, cursor, due_at) values
  ('gone', 'c1', 1795166100000), ('registered', 'c2', 1795166100000);`;
const POLLS = 'select codehost_repo_id as repo, cursor from codehost_polls';
const kept = [{ repo: 'registered', cursor: 'c2' }];

/** The migrations of a release that left the polls of a repository behind when its last registration was removed. */
function beforeRemovalInPieces(known: readonly Migration[]): readonly Migration[] {
  return known.slice(
    0,
    known.findIndex(({ name }) => name === '0014_removed_in_pieces'),
  );
}

const title = 'an upgrade ends the polls of a repository that is no longer registered, and keeps those of one that is';

it(`${title}, on SQLite`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const writer = openWriter(join(folder, 'sluice.db'));
  const known = readMigrations('sqlite');
  migrateSqlite(writer, beforeRemovalInPieces(known));
  writer.exec(rows);
  expect(writer.prepare(POLLS).all()).toHaveLength(2);
  migrateSqlite(writer, known);
  expect(writer.prepare(POLLS).all()).toEqual(kept);
  writer.close();
  rmSync(folder, { recursive: true });
});

it(`${title}, on Postgres`, async () => {
  await using server = await sharedPostgres();
  const url = await server.createDatabase();
  const migrate = (known: readonly Migration[]) =>
    migratePg({ connection: { connectionString: url, application_name: 'sluice-test' }, known });
  const known = readMigrations('pg');
  await migrate(beforeRemovalInPieces(known));
  await server.query(forPg(rows), nameOf(url));
  expect(await server.query(POLLS, nameOf(url))).toHaveLength(2);
  await migrate(known);
  expect(await server.query(POLLS, nameOf(url))).toEqual(kept);
});
