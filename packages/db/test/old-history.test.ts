import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { aNewRepo, aNewUser, settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqlite, type Stores } from '../src/index.ts';
import { migratedFolder } from './scratch.ts';

const ISSUES = 4_500;

let folder: string;
let stores: Stores;
beforeEach(async () => {
  folder = await migratedFolder();
  stores = await openSqlite({ dataDir: folder, clock: settableClock() });
});
afterEach(async () => {
  await stores.close();
  rmSync(folder, { recursive: true });
});

/** Ended issues with one event each that may be forgotten, and after them one that is far above in number. */
async function fill(): Promise<void> {
  const user = aNewUser();
  await stores.users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await stores.repos.create(repo);
  const raw = new Sqlite(join(folder, 'sluice.db'));
  const issue = raw.prepare(
    `insert into issues (ordinal, id, user_id, repo_id, title, body, origin, labels, base_branch, status, pipeline,
      input_tokens, output_tokens, lease_epoch, created_at, updated_at, finished_at, last_seq)
     values (?, ?, ?, ?, 't', 'b', 'api', '[]', 'main', 'cancelled', '{}', 0, 0, 0, 1, 1, 1000, 2)`,
  );
  const event = raw.prepare(
    `insert into events (issue_id, seq, type, data, at) values (?, 1, 'user.message', '{"text":"a"}', 1)`,
  );
  const ordinals = [...Array.from({ length: ISSUES }, (_, at) => at + 1), 1_000_000];
  raw.transaction(() => {
    for (const ordinal of ordinals) {
      issue.run(ordinal, `issue-${ordinal}`, user.id, repo.id);
      event.run(`issue-${ordinal}`);
    }
  })();
  raw.close();
}

it('looks at a limited number of issues in a call, also where none is old enough', async () => {
  await fill();
  const positions: (number | null)[] = [null];
  do {
    const after = positions.at(-1) ?? null;
    const page = await stores.maintenance.withOldHistory({ endedBefore: new Date(1), after, limit: 10 });
    expect(page.issueIds).toEqual([]);
    positions.push(page.next);
  } while (positions.at(-1) !== null);
  expect(positions).toEqual([null, 2_000, 4_000, 999_999, null]);
});

it('finds every issue once, whatever lies between', async () => {
  await fill();
  const found: string[] = [];
  let after: number | null = null;
  do {
    const page = await stores.maintenance.withOldHistory({ endedBefore: new Date(5_000), after, limit: 1_500 });
    found.push(...page.issueIds);
    after = page.next;
  } while (after !== null);
  expect(found).toHaveLength(ISSUES + 1);
  expect(new Set(found).size).toBe(ISSUES + 1);
});
