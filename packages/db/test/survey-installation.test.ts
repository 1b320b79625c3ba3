import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settableClock, startPostgres } from '@sluice/testing';
import { expect, it } from 'vitest';
import { openPostgres, openSqlite, type Stores, surveyInstallation } from '../src/index.ts';
import { atGate, queuedIssue } from './issues-at-gates.ts';

const DAY_MS = 86_400_000;
const clock = settableClock();
const now = clock.now();
const before = (ms: number) => ({ requested_at: new Date(now.getTime() - ms).toISOString() });

/** Two accounts, each with an issue at its gate: one since yesterday, one since a moment ago. */
async function fill(stores: Stores): Promise<void> {
  await atGate(stores, await queuedIssue(stores), before(DAY_MS));
  await atGate(stores, await queuedIssue(stores), before(1_000));
}

it('counts accounts and gates of a data folder while a server has it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-survey-'));
  try {
    expect(await surveyInstallation({ dataDir }, now)).toBeNull();
    await using stores = await openSqlite({ dataDir, clock });
    await fill(stores);
    expect(await surveyInstallation({ dataDir }, now)).toMatchObject({ accounts: 2, longAtGate: 1 });
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

it('counts them on Postgres, and returns null when it is empty or unreachable', async () => {
  await using server = await startPostgres();
  const target = { url: await server.createDatabase(), applicationName: 'sluice-test' };
  expect(await surveyInstallation(target, now)).toBeNull();
  await using stores = await openPostgres({ ...target, clock });
  await fill(stores);
  expect(await surveyInstallation(target, now)).toMatchObject({ accounts: 2, longAtGate: 1 });
  const away = { ...target, url: 'postgres://sluice@127.0.0.1:1/sluice' };
  expect(await surveyInstallation(away, now)).toBeNull();
});
