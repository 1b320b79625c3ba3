import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewEvent } from '@sluice/core/issue';
import { settableClock } from '@sluice/testing';
import Database from 'better-sqlite3';
import { it } from 'vitest';
import { openSqlite } from '../src/index.ts';
import { aLease } from './a-lease.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const event: NewEvent = { type: 'user.message', data: { text: 'a note of a usual length, as agents write them' } };

// The peer: the same two rows by hand, on the same settings, without the store's fence, checks and listeners.
const raw = new Database(join(folder, 'raw.db'));
raw.pragma('journal_mode = WAL');
raw.pragma('synchronous = FULL');
raw.exec('create table issues (id text primary key, last_seq integer); insert into issues values (1, 0)');
raw.exec('create table events (issue_id text, seq integer, type text, data text, primary key (issue_id, seq))');
const nextSeq = raw.prepare('update issues set last_seq = last_seq + 1 where id = 1 returning last_seq').pluck();
const insert = raw.prepare('insert into events values (1, ?, ?, ?)');
const writeByHand = raw.transaction(() => {
  insert.run(nextSeq.get(), event.type, JSON.stringify(event.data));
});

const stores = await openSqlite({ dataDir: join(folder, 'data'), clock: settableClock() });
const lease = await aLease(stores);

it('writes one durable event', async ({ bench }) => {
  await bench.compare(
    bench('two statements by hand', () => {
      writeByHand();
    }),
    bench('RunStore.record: fenced, checked, gapless, signalled', async () => {
      if (!(await stores.runs.record(lease, [event]))) throw new Error('the lease was lost');
    }),
  );
});

it('replays 1,000 events', async ({ bench }) => {
  await bench.compare(
    bench('one statement by hand', () => {
      raw.prepare('select * from events where issue_id = 1 and seq > 0 order by seq limit 1000').all();
    }),
    bench('IssueStore.events', async () => {
      await stores.issues.events(lease.issueId, { after: 0, limit: 1_000 });
    }),
  );
});
