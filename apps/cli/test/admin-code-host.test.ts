import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, startServer } from '@sluice/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTerminal, type Terminal } from './terminal.ts';

const app = { CODEHOST_CLIENT_ID: 'an-app', CODEHOST_CLIENT_SECRET: 'a-secret-of-it' };
const FIRST = { ...app, CODEHOST_URL: 'https://git.example.com' };
const OTHER = { ...app, CODEHOST_URL: 'https://code.example.com' };

let terminal: Terminal;
const DATA_DIR = mkdtempSync(join(tmpdir(), 'sluice-codehost-'));
beforeAll(async () => {
  terminal = await openTerminal();
  const config = loadConfig({ overrides: { ...FIRST, DATA_DIR, PORT: '0', LOG_LEVEL: 'warn' } });
  const server = await startServer(config, { logFile: join(DATA_DIR, 'sluice.log') });
  await server.close();
});
afterAll(() => terminal[Symbol.dispose]());

const run = (args: readonly string[], env: Record<string, string>) =>
  terminal.sluice(args, { env: { DATA_DIR, PORT: '0', ...env } });
const serve = (env: Record<string, string>) => terminal.spawn(['serve'], { env: { DATA_DIR, PORT: '0', ...env } });

it('refuses to serve with another code host, with the fix in one line', async () => {
  const { code, stdout, stderr } = await serve(OTHER);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^sluice: CODEHOST_URL is https:\/\/code\.example\.com, but this database belongs to the code host https:\/\/git\.example\.com: [^\n]+\n$/,
  );
});

it('follows its code host to a new address', async () => {
  const moved = await run(['admin', 'codehost-moved'], OTHER);
  expect([moved.code, moved.stdout, moved.stderr]).toEqual([
    0,
    'Changed the code host from https://git.example.com to https://code.example.com. 0 registrations updated.\n',
    '',
  ]);
  expect((await serve(FIRST)).stderr).toContain('belongs to the code host https://code.example.com');
  const without = await run(['admin', 'codehost-moved'], {});
  expect([without.code, without.stderr]).toEqual([1, expect.stringMatching(/^sluice: No code host is configured/)]);
});

it('forgets its code host with --yes, and has none afterwards', async () => {
  const asked = await run(['admin', 'codehost-forget'], {});
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('pass --yes')]);
  const report = await terminal.json(['admin', 'codehost-forget', '--yes'], { env: { DATA_DIR } });
  expect(report).toEqual({
    codehost: 'https://code.example.com',
    users_unlinked: 0,
    repos: 0,
    without_password: [],
  });
  const moved = await run(['admin', 'codehost-moved'], FIRST);
  expect([moved.code, moved.stderr]).toEqual([1, expect.stringContaining('has no code host yet')]);
});
