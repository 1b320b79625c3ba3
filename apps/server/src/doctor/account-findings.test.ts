import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countAccounts, openPostgres, openSqlite } from '@sluice/db';
import { aNewUser, startPostgres } from '@sluice/testing';
import { expect, it } from 'vitest';
import { parseConfig } from '../config/parse-config.ts';
import { accountFindings } from './account-findings.ts';

const clock = { now: () => new Date() };
const found = (environment: Record<string, string>, accounts: number | null = null) =>
  accountFindings(parseConfig(environment), accounts).map(({ state, subject }) => `${state} ${subject}`);

it('has nothing against the defaults', () => {
  expect(found({}, 5)).toEqual([]);
  expect(found({ PUBLIC_URL: 'https://sluice.example.com' }, 5)).toEqual([]);
});

it.each<Record<string, string>>([
  { PUBLIC_URL: 'https://sluice.example.com', REGISTRATION: 'open' },
  { TRUST_PROXY: 'loopback' },
  { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' },
])('warns of an open registration that can be reached from elsewhere: %o', (environment) => {
  expect(found(environment)).toEqual(['warning registration']);
});

it('warns where several accounts may register folders of the host, or soon could', () => {
  const everybody = { ALLOW_LOCAL_REPOS: 'on', REGISTRATION: 'first-user' };
  expect(found(everybody, 1)).toEqual([]);
  expect(found(everybody, 2)).toEqual(['warning local repositories']);
  expect(found(everybody, null)).toEqual(['warning local repositories']);
  expect(found({ ...everybody, REGISTRATION: 'open' }, 1)).toEqual(['warning local repositories']);
  expect(found({ ALLOW_LOCAL_REPOS: 'off' }, 2)).toEqual([]);
});

it('counts the accounts of a data folder while a server has it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-doctor-'));
  try {
    expect(await countAccounts({ dataDir })).toBeNull();
    const stores = await openSqlite({ dataDir, clock });
    await stores.users.create(aNewUser());
    await stores.users.create(aNewUser());
    expect(await countAccounts({ dataDir })).toBe(2);
    await stores.close();
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

it('counts the accounts on Postgres, and knows none where it is empty or away', async () => {
  await using server = await startPostgres();
  const target = { url: await server.createDatabase(), applicationName: 'sluice-test' };
  expect(await countAccounts(target)).toBeNull();
  const stores = await openPostgres({ ...target, clock });
  await stores.users.create(aNewUser());
  await stores.close();
  expect(await countAccounts(target)).toBe(1);
  expect(await countAccounts({ ...target, url: 'postgres://sluice@127.0.0.1:1/sluice' })).toBeNull();
});
