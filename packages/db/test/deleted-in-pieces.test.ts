import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { IssueId } from '@sluice/core/id';
import { aNewIssue, aNewRepo, aNewUser, settableClock } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openSqlite, type Stores } from '../src/index.ts';
import { PIECE } from '../src/removal/delete-removed.ts';
import { migratedFolder } from './scratch.ts';

const ISSUES = 50;
const EVENTS_OF_THE_LONGEST = 5_000;
const MIB = 1024 * 1024;
/** The mebibytes of long rows in one transaction: a piece, and the row with which it ends. */
const MAX_MIB = 18;

let dataDir: string;
beforeEach(async () => {
  dataDir = await migratedFolder();
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
    const claimed = await stores.runs.claim(issue.id, { owner: 'me', ttlMs: 60_000 });
    if (claimed === null) throw new Error('It is claimable.');
    const { lease } = claimed;
    const length = count === ISSUES / 2 ? EVENTS_OF_THE_LONGEST : 10;
    const events = Array.from({ length }, () => ({ type: 'user.message', data: { text: 'Hello.' } }) as const);
    const chunks = events.map(() => ({ command: 'npm test', runSeq: 1, stream: 'stdout', text: 'ok' }) as const);
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

/** Sixteen long rows of each kind of history, 2 MiB each, for an issue. */
function fillWithLongRows(issueId: IssueId): void {
  const writer = new Sqlite(join(dataDir, 'sluice.db'));
  const rows = 'with recursive r(n) as (select 100 union all select n + 1 from r where n < 115)';
  const long = `hex(zeroblob(${MIB}))`;
  const id = `'${issueId}'`;
  writer.exec(`insert into command_log (issue_id, seq, command, stream, text, at)
      ${rows} select ${id}, n, 'npm test', 'stdout', ${long}, 0 from r;
    insert into journal_entries (issue_id, stage, round, entry)
      ${rows} select ${id}, 'plan', 1, '"' || ${long} || '"' from r;
    insert into checkpoints (issue_id, kind, "commit", object, patch, updated_at)
      ${rows} select ${id}, 'kind ' || n, '', '', zeroblob(2 * ${MIB}), 0 from r`);
  writer.close();
}

/** The size of those that are left. */
function longMib(): number {
  const reader = new Sqlite(join(dataDir, 'sluice.db'), { readonly: true });
  const sizes = Object.entries({ command_log: 'text', journal_entries: 'entry', checkpoints: 'patch' }).map(
    ([table, column]) =>
      reader.prepare<[], number>(`select total(octet_length(${column})) from ${table}`).pluck().get(),
  );
  reader.close();
  return Math.round(sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0) / MIB);
}

/** An issue that was cancelled, with long rows. */
async function withLongRows(stores: Stores) {
  const user = aNewUser();
  await stores.users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await stores.repos.create(repo);
  const issue = aNewIssue({ userId: user.id, repoId: repo.id });
  await stores.issues.create(issue, { queue: false });
  await stores.issues.apply({ issueId: issue.id, from: { status: 'pending' }, trigger: 'cancelled', events: [] });
  fillWithLongRows(issue.id);
  return issue;
}

it('deletes fewer rows in a transaction where they are long', async () => {
  await using stores = await open();
  const { repoId } = await withLongRows(stores);
  let left = longMib();
  expect(left).toBe(96);
  await stores.repos.remove(repoId);
  do {
    const now = longMib();
    expect(left - now).toBeLessThanOrEqual(MAX_MIB);
    left = now;
  } while (await stores.maintenance.deleteRemoved());
  expect(longMib()).toBe(0);
});

it('forgets fewer rows of a history in a transaction where they are long', async () => {
  const clock = settableClock();
  await using stores = await openSqlite({ dataDir, clock });
  const { id } = await withLongRows(stores);
  clock.advance(1);
  const options = { endedBefore: clock.now(), limit: 200 };
  let left = longMib();
  while ((await stores.maintenance.forgetHistory(id, options)) > 0) {
    const now = longMib();
    expect(left - now).toBeLessThanOrEqual(MAX_MIB);
    left = now;
  }
  expect(left).toBe(32); // the checkpoints stay
});

it('frees long values unread: SQLite reads each row that a deletion returns', async () => {
  const prepare = vi.spyOn(Sqlite.prototype, 'prepare');
  await using stores = await open();
  const { repoId } = await withLongRows(stores);
  await stores.repos.remove(repoId);
  const deletions = prepare.mock.calls
    .map(([text]) => text)
    .filter((text) => text.startsWith('delete from "journal_entries"'));
  prepare.mockRestore();
  expect(deletions).toEqual([expect.not.stringContaining('returning')]);
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
