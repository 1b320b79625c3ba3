import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { interruptedHere } from '../follow/follow-here.ts';
import { serverRefusal } from '../session/server-refusal.ts';
import { exitCode } from '../terminal/exit-code.ts';
import { openLocalFolder } from './open-local-folder.ts';

let dataDir: string;
const openLocalServer = (folder: string) => openLocalFolder(folder, { works: true, message: () => undefined });
const account = () => join(dataDir, 'account.json');

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sluice local '));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

it('is the same user every time, with an account file that only they can read', async () => {
  const ids: string[] = [];
  for (let time = 0; time < 2; time += 1) {
    await using server = await openLocalServer(dataDir);
    ids.push((await server.client.auth.me.query()).id);
  }
  expect(ids[0]).toBe(ids[1]);
  expect(statSync(account()).mode & 0o777).toBe(0o600);
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
