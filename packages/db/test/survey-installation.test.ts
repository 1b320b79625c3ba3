import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aNewRepo, settableClock, sharedPostgres } from '@sluice/testing';
import { expect, it } from 'vitest';
import { openPostgres, openSqlite, type Stores, surveyInstallation } from '../src/index.ts';
import { atGate, queuedIssue } from './issues-at-gates.ts';

const DAY_MS = 86_400_000;
const codehost = 'https://ghe.example/forge';
const clock = settableClock();
const now = clock.now();
const before = (ms: number) => ({ requested_at: new Date(now.getTime() - ms).toISOString() });

/**
 * Two accounts, each with an issue at its gate: one since yesterday, one since a moment ago. One of them has two repositories
 * of the code host, of which one is in a nested group, and one of a nested group by its URL.
 */
async function fill(stores: Stores): Promise<void> {
  await atGate(stores, await queuedIssue(stores), before(DAY_MS));
  const young = await queuedIssue(stores);
  await atGate(stores, young, before(1_000));
  for (const [path, provider] of [
    ['sub/project', 'codehost'],
    ['group/sub/project', 'codehost'],
    ['group/sub/other', 'git'],
  ] as const) {
    const url = `${codehost}/${path}`;
    await stores.repos.create(aNewRepo({ userId: young.userId, name: path, url, canonicalRemote: url, provider }));
  }
}

const found = {
  ...{ accounts: 2, longAtGate: 1 },
  misplaced: [{ id: expect.any(String), name: 'group/sub/project', url: `${codehost}/group/sub/project` }],
};

it('counts accounts and gates of a data folder, and names misplaced repositories, while a server has it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-survey-'));
  try {
    expect(await surveyInstallation({ dataDir }, { now, codehost })).toBeNull();
    await using stores = await openSqlite({ dataDir, clock });
    await fill(stores);
    expect(await surveyInstallation({ dataDir }, { now, codehost })).toMatchObject(found);
    expect(await surveyInstallation({ dataDir }, { now, codehost: null })).toMatchObject({ misplaced: [] });
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

it('counts them on Postgres, and returns null when it is empty or unreachable', async () => {
  await using server = await sharedPostgres();
  const target = { url: await server.createDatabase(), applicationName: 'sluice-test' };
  expect(await surveyInstallation(target, { now, codehost })).toBeNull();
  await using stores = await openPostgres({ ...target, clock });
  await fill(stores);
  expect(await surveyInstallation(target, { now, codehost })).toMatchObject(found);
  const away = { ...target, url: 'postgres://sluice@127.0.0.1:1/sluice' };
  expect(await surveyInstallation(away, { now, codehost })).toBeNull();
});
