import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openLocalFolder } from '../../src/local/open-local-folder.ts';
import { serverRefusal } from '../../src/session/server-refusal.ts';
import { CommandError, exitCode } from '../../src/terminal/exit-code.ts';

// Usual way: apps/cli/src/local/open-local-folder.test.ts

let dataDir: string;
const openLocalServer = (folder: string) => openLocalFolder(folder, { works: true, message: () => undefined });
const account = () => join(dataDir, 'account.json');

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sluice local '));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dataDir, { recursive: true });
});

it('registers an account that a killed run stored but did not register', async () => {
  const stored = { email: 'you@sluice.local', password: 'stored-by-a-killed-run' };
  writeFileSync(account(), JSON.stringify(stored));
  await using server = await openLocalServer(dataDir);
  expect(await server.client.auth.me.query()).toMatchObject({ email: stored.email });
  expect(JSON.parse(readFileSync(account(), 'utf8'))).toEqual(stored);
});

it.each(['', '{"email": "x', '{}'])('refuses a damaged account file, and closes the server: %j', async (text) => {
  writeFileSync(account(), text);
  await expect(openLocalServer(dataDir)).rejects.toThrow(CommandError);
  rmSync(account());
  await using server = await openLocalServer(dataDir);
  expect(server.client).toBeDefined();
});

it('ignores settings that the shell holds for a project', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://shop').stubEnv('REDIS_URL', 'redis://shop').stubEnv('PORT', 'nonsense');
  vi.stubEnv('ROLE', 'shopkeeper').stubEnv('HOST', '0.0.0.0').stubEnv('REGISTRATION', 'closed');
  await using server = await openLocalServer(dataDir);
  expect((await server.client.auth.me.query()).email).toBe('you@sluice.local');
});

it('says that it waits for a process that does not tell where it listens', async () => {
  const holder = await openLocalServer(dataDir);
  rmSync(join(dataDir, 'holder.json'));
  const said: string[] = [];
  await using next = await openLocalFolder(dataDir, {
    works: true,
    message: (text) => {
      if (said.push(text) === 1) void holder[Symbol.asyncDispose]();
    },
  });
  expect(said[0]).toBe(`Another process uses ${dataDir}. Waiting for its end, at most a minute.`);
  expect(next.isHeldElsewhere()).toBe(false);
});

it('is reported as unreachable once it is closed', async () => {
  const server = await openLocalServer(dataDir);
  await server[Symbol.asyncDispose]();
  const failure = await server.client.auth.me.query().catch((error: unknown) => error);
  expect(serverRefusal(failure)).toMatchObject({
    code: exitCode.unexpected,
    message: expect.stringMatching(/^The connection to http:\S+ was refused/),
  });
});
