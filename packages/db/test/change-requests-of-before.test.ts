import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callerOf } from '@sluice/core/access';
import type { RepoId, UserId } from '@sluice/core/id';
import { type ChangeRequestRecord, toPicoUsd } from '@sluice/core/outcome';
import { settableClock, sharedPostgres } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { type Migration, readMigrations } from '../src/engine/migrations.ts';
import { openPostgres, openSqlite, type Stores } from '../src/index.ts';
import { migratePg } from '../src/pg/migrate-pg.ts';
import { migrateSqlite } from '../src/sqlite/migrate-sqlite.ts';
import { openWriter } from '../src/sqlite/sqlite-connections.ts';
import { createWorld } from './every-method/world.ts';
import { forPg, rowsOf } from './first-schema-rows.ts';
import { nameOf } from './pg-schema.ts';

const repoId = '00000000-0000-7000-8000-0000000000c1' as RepoId;
const idOf = (last: string) => `00000000-0000-7000-8000-0000000000${last}`;
const OPENED = 1795166200000;
const ENDED = 1795166300000;

function publishedIssue(
  last: string,
  of: { parent?: string; number: number; state: string; pipeline: object },
): string {
  const parent = of.parent === undefined ? 'null' : `'${idOf(of.parent)}'`;
  const origin = of.parent === undefined ? 'api' : 'follow_up';
  return `insert into issues (id, user_id, repo_id, title, body, origin, labels, parent_issue_id, base_branch, status, pipeline, input_tokens, output_tokens, cost_usd, lease_epoch, created_at, updated_at, finished_at, last_seq, change_request_number, change_request_state) values
    ('${idOf(last)}', '${idOf('a1')}', '${repoId}', 'x', '', '${origin}', '[]', ${parent}, 'main', 'completed', '${JSON.stringify(of.pipeline)}', 1, 1, 0.5, 0, 1795166100000, 1795166400000, ${OPENED}, 1, ${of.number}, '${of.state}');`;
}

/** Pull requests of a release that kept no records: one merged, with a follow-up, and one closed, of which no event is left. */
const rows = `${rowsOf('first-schema-rows.sql')}
${publishedIssue('e1', {
  number: 7,
  state: 'merged',
  pipeline: {
    approved: { revision: 1, plan_hash: null, base_commit: null },
    implementation: { summary: 's', head_commit: 'h1', made_by: ['b model', 'a model'] },
    publication: { head_commit: 'h1', confirmed: null, change_request: null },
  },
})}
${publishedIssue('e2', { parent: 'e1', number: 7, state: 'merged', pipeline: {} })}
${publishedIssue('e3', { number: 8, state: 'closed', pipeline: { approved: { revision: 2 }, implementation: null } })}
insert into events (issue_id, seq, type, data, at) values
  ('${idOf('e1')}', 1, 'change_request.updated', '{"number":7,"url":"https://example.test/7","state":"merged"}', ${ENDED});`;

const blank = {
  repoId,
  openedAt: new Date(OPENED),
  readyAt: new Date(OPENED),
  mergedAt: null,
  closedAt: null,
  revertedAt: null,
  headCommit: null,
  peopleCommits: 0,
  reviewRounds: 0,
  buildRounds: 0,
  firstBuild: null,
  build: null,
  closeAskedAt: null,
  closeAnswer: null,
  models: [],
  promptRevision: null,
} satisfies Partial<ChangeRequestRecord>;
const merged = {
  ...blank,
  number: 7,
  issueId: idOf('e1'),
  state: 'merged',
  mergedAt: new Date(ENDED),
  headCommit: 'h1',
  reviewRounds: 1,
  models: ['a model', 'b model'],
  atFirstSight: true,
};
const closed = {
  ...blank,
  number: 8,
  issueId: idOf('e3'),
  state: 'closed',
  closedAt: new Date(1795166400000),
  atFirstSight: false,
};

async function check({ outcomes, issues }: Stores): Promise<void> {
  for (const record of [merged, closed]) {
    expect(await outcomes.get({ repoId, number: record.number })).toEqual(record);
  }
  const asked = { caller: callerOf(idOf('a1') as UserId), repoId, from: new Date(0), to: merged.mergedAt };
  const counted = await outcomes.tally(asked, { groupBy: null, isDivisible: true });
  expect(counted).toMatchObject([
    { tally: { opened: 2, merged: 1, closed: 1, cost: toPicoUsd(1.5), pricedMerged: 1 } },
  ]);
  // It was closed before there was a question, and gets none now.
  const noted = await outcomes.note({ repoId, number: 8 }, { state: 'closed' });
  expect(noted).toMatchObject({ closedAt: closed.closedAt, closeAskedAt: null });
  expect((await issues.get(closed.issueId as never))?.lastSeq).toBe(1);
  // Without a time of the host, the one of the event stays.
  expect(await outcomes.note({ repoId, number: 7 }, { state: 'merged' })).toMatchObject({ mergedAt: merged.mergedAt });
}

function beforeRecords(known: readonly Migration[]): readonly Migration[] {
  return known.slice(
    0,
    known.findIndex(({ name }) => name.endsWith('_change_requests')),
  );
}

const title = 'an upgrade takes over the pull requests of before, as far as they are known';

it(`${title}, on SQLite`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const writer = openWriter(join(folder, 'sluice.db'));
  migrateSqlite(writer, beforeRecords(readMigrations('sqlite')));
  writer.exec(rows);
  writer.close();
  const stores = await openSqlite({ dataDir: folder, clock: settableClock() });
  await check(stores);
  await stores.close();
  rmSync(folder, { recursive: true });
});

it(`${title}, on Postgres`, async () => {
  await using server = await sharedPostgres();
  const url = await server.createDatabase();
  const known = beforeRecords(readMigrations('pg'));
  await migratePg({ connection: { connectionString: url, application_name: 'sluice-test' }, known });
  await server.query(forPg(rows), nameOf(url));
  await using stores = await openPostgres({ url, applicationName: 'sluice-test', clock: settableClock() });
  await check(stores);
});

it('a pull request that a process of the release before opened is recorded by the next sync', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const clock = settableClock();
  const stores = await openSqlite({ dataDir: folder, clock });
  const { issue, lease } = await (await createWorld({ stores, clock })).claimed();
  await stores.issues.apply({
    issueId: issue.id,
    from: { status: 'running' },
    trigger: 'published',
    lease,
    set: { changeRequest: { number: 9, state: 'draft' } },
    events: [],
  });
  const key = { repoId: issue.repoId, number: 9 };
  const written = await stores.outcomes.get(key);
  const raw = new Sqlite(join(folder, 'sluice.db'));
  raw.prepare('delete from change_requests').run();
  raw.close();
  const openedAt = clock.now();
  clock.advance(1_000);
  const noted = await stores.outcomes.note(key, { state: 'closed' });
  expect(noted).toEqual({ ...written, openedAt, state: 'closed', closedAt: clock.now(), closeAskedAt: clock.now() });
  await stores.close();
  rmSync(folder, { recursive: true });
});
