import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { interruptedHere } from '../follow/follow-here.ts';
import { serverRefusal } from '../session/server-refusal.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { openLocalFolder } from './open-local-folder.ts';

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

it('is the same user every time, with an account file that only they can read', async () => {
  const ids: string[] = [];
  for (let time = 0; time < 2; time += 1) {
    await using server = await openLocalServer(dataDir);
    ids.push((await server.client.auth.me.query()).id);
  }
  expect(ids[0]).toBe(ids[1]);
  expect(statSync(account()).mode & 0o777).toBe(0o600);
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

it('maps refusals to messages and exit codes', async () => {
  await using server = await openLocalServer(dataDir);
  const id = '019aa000-0000-7000-8000-000000000001';
  const unknown = await server.client.issues.get.query({ id }).catch((error: unknown) => error);
  expect(serverRefusal(unknown)).toMatchObject({ code: exitCode.notFound, message: 'There is no such issue.' });
  const invalid = await server.client.repos.create.mutate({ url: 'nonsense' }).catch((error: unknown) => error);
  expect(serverRefusal(invalid)).toMatchObject({ code: exitCode.usage });
  expect(serverRefusal(new Error('x'))).toBeNull();
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

it('knows whether another process goes on with its work', async () => {
  await using first = await openLocalServer(dataDir);
  expect(await first.goesOnElsewhere()).toBe(false);
  {
    await using second = await openLocalServer(dataDir);
    expect(await second.goesOnElsewhere()).toBe(true);
    expect(await first.goesOnElsewhere()).toBe(true);
    expect(await interruptedHere(first, 'sluice run --continue')).toContain('Another run on this repository goes on');
  }
  expect(await first.goesOnElsewhere()).toBe(false);
  writeFileSync(join(dataDir, `successor-${2 ** 22 + 1}`), ''); // of a process that was killed
  expect(await first.goesOnElsewhere()).toBe(false);
  expect(await interruptedHere(first, 'sluice run --continue')).toContain('Continue with: sluice run --continue');
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
