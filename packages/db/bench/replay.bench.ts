import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aNewIssue, aNewRepo, aNewUser, settableClock, startPostgres } from '@sluice/testing';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { openPostgres, openSqlite, type Stores } from '../src/index.ts';
import { fillPostgres, fillSqlite } from './fill-table.ts';

const ISSUES = 1_000; // with 1,000 events each: a million rows
const PER_ISSUE = 1_000;
const DATA = '{"text":"a note of a usual length, as agents write them"}';
const clock = settableClock();
/** Every row of another issue is between two rows of one: as they come when a thousand pipelines run. */
const spread = `from numbers a cross join issues i where a.n <= ${PER_ISSUE} order by a.n`;

it('replays 1,000 events among 1,000,000', { timeout: 600_000 }, async ({ bench }) => {
  await using server = await startPostgres();
  const url = await server.createDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const file = join(folder, 'sluice.db');
  await using postgres = await openPostgres({ url, applicationName: 'bench', clock });
  await using sqlite = await openSqlite({ dataDir: folder, clock });
  const ids = { postgres: await issues(postgres), sqlite: await issues(sqlite) };
  await fillPostgres(
    url,
    `create temp table numbers as select generate_series(2, ${PER_ISSUE}) n;
     insert into events (issue_id, seq, type, data, at) select i.id, a.n, 'user.message', '${DATA}', now() ${spread}`,
  );
  fillSqlite(
    file,
    `create temp table numbers as with recursive r(n) as (select 2 union all select n + 1 from r where n < ${PER_ISSUE}) select n from r;
     insert into events (issue_id, seq, type, data, at) select i.id, a.n, 'user.message', '${DATA}', 1 ${spread}`,
  );
  const client = new Client(url);
  await client.connect();
  const raw = new Database(file, { readonly: true });
  const byHand = raw.prepare('select * from events where issue_id = ? and seq > 0 order by seq limit 1000');
  let turn = 0;
  const next = (of: readonly string[]) => {
    turn += 1;
    return of[(turn * 37) % of.length] as never;
  };
  const options = { time: 1_500, warmupTime: 300 };
  const times = await bench.compare(
    bench('Postgres, one indexed statement', async () => {
      const { rows } = await client.query(
        'select * from events where issue_id = $1 and seq > 0 order by seq limit 1000',
        [next(ids.postgres)],
      );
      expect(rows).toHaveLength(PER_ISSUE);
    }),
    bench('Postgres, IssueStore.events', async () => {
      expect(await postgres.issues.events(next(ids.postgres), { after: 0, limit: 1_000 })).toHaveLength(PER_ISSUE);
    }),
    bench('SQLite, one indexed statement', () => {
      expect(byHand.all(next(ids.sqlite))).toHaveLength(PER_ISSUE);
    }),
    bench('SQLite, IssueStore.events', async () => {
      expect(await sqlite.issues.events(next(ids.sqlite), { after: 0, limit: 1_000 })).toHaveLength(PER_ISSUE);
    }),
    options,
  );
  const p50 = (name: Parameters<typeof times.get>[0]) => times.get(name).latency.p50;
  for (const engine of ['Postgres', 'SQLite'] as const) {
    const [bare, ours] = [p50(`${engine}, one indexed statement`), p50(`${engine}, IssueStore.events`)];
    process.stdout.write(
      `replay on ${engine} ÷ one statement: ${(ours / bare).toFixed(2)} (${ours.toFixed(2)} ms ÷ ${bare.toFixed(2)} ms)\n`,
    );
  }
  raw.close();
  await client.end();
  rmSync(folder, { recursive: true, force: true });
});

async function issues(stores: Stores): Promise<string[]> {
  const user = aNewUser();
  await stores.users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await stores.repos.create(repo);
  const made = Array.from({ length: ISSUES }, () => aNewIssue({ userId: user.id, repoId: repo.id }));
  for (const issue of made) await stores.issues.create(issue, { queue: false });
  return made.map(({ id }) => id);
}
