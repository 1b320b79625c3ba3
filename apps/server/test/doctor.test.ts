import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChromaServer } from '@sluice/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { diagnose } from '../src/doctor/diagnose.ts';
import { sharedServices } from './shared-services.ts';

const home = process.cwd();
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice doctor ')));
  process.chdir(folder);
  vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'config'));
});

afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

const secrets = { SESSION_SECRET: 'x'.repeat(48), ENCRYPTION_KEYS: `a:${Buffer.alloc(32).toString('base64')}` };
const services = ['Postgres', 'Redis', 'Chroma'];

it('finds services that are dead, names each without its password, and creates nothing', async () => {
  const { healthy, findings } = await diagnose({
    overrides: {
      ...secrets,
      DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/sluice',
      REDIS_URL: 'redis://:hunter2@127.0.0.1:1',
      CHROMA_URL: 'http://hunter2@127.0.0.1:1',
    },
  });
  expect(healthy).toBe(false);
  const problems = findings.filter(({ state }) => state === 'problem').map(({ subject }) => subject);
  expect(problems).toEqual(expect.arrayContaining(services));
  expect(JSON.stringify(findings)).not.toContain('hunter2');
  expect(readdirSync(folder)).toEqual([]);
});

it('logs in to services that live, and tells which migrations are pending', async () => {
  await using shared = await sharedServices();
  await using chroma = await startChromaServer();
  const installation = await shared.installation({ isMigrated: false });
  const look = async () => {
    const { findings } = await diagnose({ overrides: { ...installation, CHROMA_URL: chroma.url.href } });
    return findings.filter(({ subject }) => services.includes(subject));
  };
  const before = await look();
  expect(before.map(({ subject, state }) => [subject, state])).toEqual([
    ['Postgres', 'warning'],
    ['Redis', 'ok'],
    ['Chroma', 'ok'],
  ]);
  expect(before[0]).toMatchObject({
    detail: expect.stringMatching(/answers \(version \d+.*\); \d+ migrations are pending/),
  });
});
