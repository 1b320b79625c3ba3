import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { callerOf } from '@sluice/core/access';
import { auditRecords } from '@sluice/core/audit';
import { readOutcomes } from '@sluice/core/outcome';
import { aNewRepo, aNewUser, settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite, type Stores } from '../src/index.ts';
import { migratedFolder } from './scratch.ts';

const clock = settableClock();
const folder = await migratedFolder();
const user = aNewUser();
const repo = aNewRepo({ userId: user.id });
let stores: Stores;

/** A number of entries and pull requests that takes many times 5 ms to read. */
const ROWS = 20_000;

beforeAll(async () => {
  stores = await openSqlite({ dataDir: folder, clock });
  await stores.users.create(user);
  await stores.repos.create(repo);
  const raw = new Sqlite(join(folder, 'sluice.db'));
  raw.pragma('foreign_keys = off');
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ROWS})`;
  raw.exec(`${numbers} insert into audit_entries (user_id, actor, action, subject_id, detail, at)
    select '${user.id}', '{"kind":"operator"}', 'issue.created', 'i' || n, '{}', n from numbers`);
  raw.exec(`${numbers} insert into change_requests (repo_id, number, issue_id, opened_at, state, merged_at, models, updated_at)
    select '${repo.id}', n, 'i' || n, n * 1000, 'merged', n * 2000, '[]', n from numbers`);
  raw.close();
});
afterAll(async () => {
  await stores.close();
  rmSync(folder, { recursive: true });
});

/** How often the event loop turned while the work was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

it('outcomes are not counted at once where there are many, unless their period cannot be divided', async () => {
  const query = { caller: callerOf(user.id), repoId: null, from: new Date(0), to: new Date(ROWS * 1_000 + 1) };
  expect(await stores.outcomes.tally(query, { groupBy: null, isDivisible: true })).toBeNull();
  const [all] = (await stores.outcomes.tally(query, { groupBy: null, isDivisible: false })) ?? [];
  expect(all?.tally).toMatchObject({ opened: ROWS, merged: ROWS });
});

describe('a long loop over the stores of SQLite', () => {
  it.each<[string, () => Promise<unknown>]>([
    [
      'the outcomes of all pull requests',
      async () => {
        const asked = { caller: callerOf(user.id), repoId: null, groupBy: null, from: new Date(0), to: null };
        const { total } = await readOutcomes({ ...stores, clock }, { ...asked, signal: new AbortController().signal });
        expect(total.opened).toBe(ROWS);
      },
    ],
    [
      'the whole audit log',
      async () => {
        let entries = 0;
        for await (const record of auditRecords(stores.auditSeals)) entries += record.type === 'entry' ? 1 : 0;
        expect(entries).toBe(ROWS);
      },
    ],
    [
      'one row, again and again',
      async () => {
        for (let times = 0; times < ROWS; times += 1) await stores.users.get(user.id);
      },
    ],
  ])('lets timers, requests and aborts in: %s', async (_, work) => {
    expect(await turnsDuring(work)).toBeGreaterThan(2);
  });
});
