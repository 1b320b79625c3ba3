import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aNewIssue, aNewRepo, aNewUser, settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqlite, type Stores } from '../src/index.ts';
import { PIECE } from '../src/removal/delete-removed.ts';

const ISSUES = 50;
const EVENTS_OF_THE_LONGEST = 5_000;

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sluice-removal-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const open = () => openSqlite({ dataDir, clock: settableClock() });

/** Rows in all tables. */
function rows(): number {
  const reader = new Sqlite(join(dataDir, 'sluice.db'), { readonly: true });
  try {
    const tables = reader
      .prepare<[], string>("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
      .pluck()
      .all();
    const counts = tables.map((name) => reader.prepare<[], number>(`select count(*) from "${name}"`).pluck().get());
    return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  } finally {
    reader.close();
  }
}

async function filled(stores: Stores) {
  const user = aNewUser();
  await stores.users.create(user);
  const before = rows();
  const repo = aNewRepo({ userId: user.id, provider: 'codehost', codehostRepoId: '7' });
  await stores.repos.create(repo);
  for (let count = 0; count < ISSUES; count += 1) {
    const issue = aNewIssue({ userId: user.id, repoId: repo.id });
    await stores.issues.create(issue, { queue: true });
    const claimed = await stores.runs.claim(issue.id, 'me', 60_000);
    if (claimed === null) throw new Error('It is claimable.');
    const { lease } = claimed;
    const length = count === ISSUES / 2 ? EVENTS_OF_THE_LONGEST : 10;
    const events = Array.from({ length }, () => ({ type: 'user.message', data: { text: 'Hello.' } }) as const);
    const chunks = events.map(() => ({ command: 'npm test', stream: 'stdout', text: 'ok' }) as const);
    const entries = Array.from({ length: 10 }, (_, at) => ({ kind: 'begin' as const, callId: `${at}` }));
    await stores.runs.record(lease, events);
    await stores.runs.appendLog(lease, chunks);
    await stores.runs.appendJournal(lease, { stage: 'implement', round: 1 }, { entries, events: [] });
    await stores.issues.apply({ issueId: issue.id, from: { status: 'running' }, trigger: 'cancelled', events: [] });
  }
  return { before, repo };
}

it('deletes a bounded number of rows in a transaction, and goes on after a restart until nothing is left', async () => {
  const first = await open();
  const { before, repo } = await filled(first);
  const full = rows();
  expect(await first.repos.remove(repo.id)).toBe('removed');
  expect(full - rows()).toBeLessThanOrEqual(PIECE);
  await first.maintenance.deleteRemoved();
  await first.close();

  await using stores = await open();
  let [left, pieces] = [rows(), 0];
  while (await stores.maintenance.deleteRemoved()) {
    const now = rows();
    expect(left - now).toBeLessThanOrEqual(PIECE);
    expect(now).toBeLessThan(left); // each makes progress
    left = now;
    pieces += 1;
  }
  expect(pieces).toBeGreaterThan(EVENTS_OF_THE_LONGEST / PIECE);
  expect(rows()).toBe(before); // also of the table that says what to poll
});

it('deletes a small repository with its issues within the request', async () => {
  await using stores = await open();
  const user = aNewUser();
  await stores.users.create(user);
  const before = rows();
  const repo = aNewRepo({ userId: user.id });
  await stores.repos.create(repo);
  for (let count = 0; count < 3; count += 1) {
    await stores.issues.create(aNewIssue({ userId: user.id, repoId: repo.id }), { queue: false });
  }
  await stores.repos.remove(repo.id);
  expect(rows()).toBe(before);
});
