import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { callerOf } from '@sluice/core/access';
import { openSqlite } from '@sluice/db';
import { createProcessSignals } from '@sluice/redis';
import { aNewIssue, aNewRepo, aNewUser, claimed } from '@sluice/testing';
import { expect, it } from 'vitest';
import { createIssueFeed } from '../src/feed/issue-feed.ts';

const STREAMS = 10;
const HISTORY = 500_000;
const EVENTS = 100;
const MAX_MS_PER_EVENT = 1; // of the event loop per event, for its write and all streams together
const clock = { now: () => new Date() };

it('sends an event to ten streams of everything of a user with 500,000 events', { timeout: 600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const signals = createProcessSignals();
  const stores = await openSqlite({ dataDir: folder, clock, onEvents: (hint) => signals.eventsWritten(hint) });
  const user = aNewUser();
  await stores.users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await stores.repos.create(repo);
  const issue = aNewIssue({ userId: user.id, repoId: repo.id });
  await stores.issues.create(issue, { queue: true });
  const past = aNewIssue({ userId: user.id, repoId: repo.id });
  await stores.issues.create(past, { queue: false });
  const raw = new DatabaseSync(join(folder, 'sluice.db'));
  raw.exec(`with recursive r(n) as (select 2 union all select n + 1 from r where n < ${HISTORY})
    insert into events (issue_id, user_id, seq, type, data, at)
      select '${past.id}', '${user.id}', n, 'user.message', '{"text":"a"}', 1 from r`);
  const { rows } = raw.prepare('select count(*) as rows from events').get() as { rows: number };
  expect(rows).toBeGreaterThan(HISTORY);
  raw.close();
  const lease = await claimed(stores, issue.id);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const session = await stores.sessions.create({ id: crypto.randomUUID() as never, userId: user.id, expiresAt });
  if (session === null) throw new Error('The session was not created.');
  const feed = createIssueFeed({ ...stores, signals, clock });
  const gone = new AbortController();
  let received = 0;
  const reading = Array.from({ length: STREAMS }, async () => {
    for await (const { event } of feed.followUser(null, {
      caller: callerOf(session.userId),
      session,
      gone: gone.signal,
      hangUp: () => {},
    })) {
      received += event.type === 'stream.opened' ? STREAMS * EVENTS : 1;
    }
  });
  while (received < STREAMS * STREAMS * EVENTS) await setImmediate();
  received = 0;
  let micros = 0;
  for (let written = 1; written <= EVENTS; written += 1) {
    const before = process.threadCpuUsage();
    await stores.runs.record(lease, [{ type: 'user.message', data: { text: 'a' } }]);
    while (received < written * STREAMS) await setImmediate();
    const { user: own, system } = process.threadCpuUsage(before);
    micros += own + system;
  }
  const ms = micros / EVENTS / 1_000;
  process.stdout.write(`${STREAMS} streams of everything: ${ms.toFixed(2)} ms of the event loop per event\n`);
  gone.abort();
  await Promise.all(reading);
  await stores.close();
  rmSync(folder, { recursive: true });
  expect(ms).toBeLessThan(MAX_MS_PER_EVENT);
});
