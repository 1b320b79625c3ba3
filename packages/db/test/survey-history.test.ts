import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { aNewIssue, aNewRepo, aNewUser, settableClock, sharedPostgres } from '@sluice/testing';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgres, openSqlite, type Stores, surveyInstallation } from '../src/index.ts';
import { migratedDatabase, migratedFolder } from './scratch.ts';

const DAY_MS = 86_400_000;
const codehost = null;
const TEXT = '語x'.repeat(250); // 1,000 bytes
const EVENTS = 3_000; // more than are sampled
const CHUNKS = 100; // as are these

/** An issue that was cancelled 100 days ago, with a history of some 3 MB, and a young one with a tenth of it. */
async function fill(stores: Stores, clock: ReturnType<typeof settableClock>) {
  const user = aNewUser();
  await stores.users.create(user);
  const repos = [aNewRepo({ userId: user.id }), aNewRepo({ userId: user.id })] as const;
  for (const [index, repo] of repos.entries()) {
    const share = [1, 0.1][index] ?? 0;
    await stores.repos.create(repo);
    const issue = aNewIssue({ userId: user.id, repoId: repo.id });
    await stores.issues.create(issue, { queue: true });
    const claimed = await stores.runs.claim(issue.id, { owner: 'me', ttlMs: 60_000 });
    if (claimed === null) throw new Error('It is claimable.');
    const events = Array.from(
      { length: EVENTS * share },
      () => ({ type: 'user.message', data: { text: TEXT } }) as const,
    );
    const chunks = Array.from(
      { length: CHUNKS * share },
      () => ({ command: 'c', runSeq: 1, stream: 'stdout', text: TEXT }) as const,
    );
    await stores.runs.record(claimed.lease, events);
    await stores.runs.appendLog(claimed.lease, chunks);
    await stores.runs.appendJournal(
      claimed.lease,
      { stage: 'plan', round: 1 },
      {
        entries: Array.from({ length: CHUNKS * share }, () => ({ kind: 'begin' as const, callId: TEXT })),
        events: [],
      },
    );
    await stores.issues.apply({ issueId: issue.id, from: { status: 'running' }, trigger: 'cancelled', events: [] });
    clock.advance(100 * DAY_MS * share);
  }
  return { now: clock.now(), old: repos[0] };
}

const about = (bytes: number) => ({
  asymmetricMatch: (found: unknown) => typeof found === 'number' && Math.abs(found - bytes) < bytes * 0.25,
});
const ofOld = { events: EVENTS * 1_150, journals: CHUNKS * 1_150, commandOutput: CHUNKS * 1_150 };
const ofYoung = {
  events: ofOld.events * 0.1,
  journals: ofOld.journals * 0.1,
  commandOutput: ofOld.commandOutput * 0.1,
};
const oldBytes = ofOld.events + ofOld.journals + ofOld.commandOutput;
/** The young one ended 10 days ago. */
const expected = {
  events: about(ofOld.events * 1.1),
  journals: about(ofOld.journals * 1.1),
  commandOutput: about(ofOld.commandOutput * 1.1),
  savings: [
    { days: 30, bytes: about(oldBytes) },
    { days: 90, bytes: about(oldBytes) },
    { days: 365, bytes: 0 },
  ],
};

describe('the survey of a data folder', () => {
  let dataDir: string;
  const clock = settableClock();
  beforeEach(async () => {
    dataDir = await migratedFolder();
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('estimates the history, and what each retention would delete', async () => {
    await using stores = await openSqlite({ dataDir, clock });
    const { now } = await fill(stores, clock);
    expect((await surveyInstallation({ dataDir }, { now, codehost }))?.history).toEqual(expected);
  });

  it('leaves out the history of a removed repository, whose rows are still being deleted', async () => {
    await using stores = await openSqlite({ dataDir, clock });
    const { now, old } = await fill(stores, clock);
    await stores.repos.remove(old.id);
    expect((await surveyInstallation({ dataDir }, { now, codehost }))?.history).toEqual({
      events: about(ofYoung.events),
      journals: about(ofYoung.journals),
      commandOutput: about(ofYoung.commandOutput),
      savings: [30, 90, 365].map((days) => ({ days, bytes: 0 })),
    });
  });

  it('tells the rest when the history cannot be read', async () => {
    await using _stores = await openSqlite({ dataDir, clock });
    const other = new Sqlite(join(dataDir, 'sluice.db'));
    other.exec('alter table journal_entries rename to elsewhere');
    other.close();
    expect(await surveyInstallation({ dataDir }, { now: clock.now(), codehost })).toEqual({
      accounts: 0,
      longAtGate: 0,
      misplaced: [],
      history: null,
    });
  });
});

it('estimates them on Postgres', async () => {
  await using server = await sharedPostgres();
  const target = { url: await migratedDatabase(server), applicationName: 'sluice-test' };
  const clock = settableClock();
  await using stores = await openPostgres({ ...target, clock });
  const { now } = await fill(stores, clock);
  expect((await surveyInstallation(target, { now, codehost }))?.history).toEqual(expected);
});
