import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSecretHunt } from './secret-hunt.ts';

const SECRET = 'gho_a-canary/that+is=long~enough';
const folder = mkdtempSync(join(tmpdir(), 'sluice-planted-'));
afterAll(() => rmSync(folder, { recursive: true }));

function hunt() {
  const one = openSecretHunt();
  one.add('token', SECRET);
  return one;
}

/** Runs while the hunt looks at the processes. */
async function whileRunning(env: Record<string, string>, args: string[], look: () => void): Promise<void> {
  const child = spawn('sh', ['-c', 'read line', 'sh', ...args], { env: { PATH: process.env.PATH, ...env } });
  await once(child, 'spawn');
  look();
  child.kill('SIGKILL');
}

it.each([
  ['plain', `"${SECRET}"`],
  ['in an address', `http://host/?token=${encodeURIComponent(SECRET)}&x`],
  ['hex', `\\x${Buffer.from(SECRET).toString('hex')}`],
  ['turned around', [...SECRET].reverse().join('')],
  ['base64', Buffer.from(`x-access-token:${SECRET}`).toString('base64')],
  ['base64', Buffer.from(`oauth2:${SECRET}:x`).toString('base64')],
  ['base64', Buffer.from(`a:${SECRET}`).toString('base64')],
  ['base64', Buffer.from(`{"access":"${SECRET}"}`).toString('base64url')],
])('finds a secret that is %s in a text: %s', (spelling, text) => {
  using one = hunt();
  one.saw('an answer', 'nothing');
  expect(one.found()).toEqual([]);
  one.saw('an answer', text);
  expect(one.found()).toEqual([`an-answer: token (${spelling})`]);
});

it('finds it in a file, however deep and whatever is around it', () => {
  using one = hunt();
  mkdirSync(join(folder, 'clones/.git'), { recursive: true });
  const config = join(folder, 'clones/.git/config');
  writeFileSync(config, 'nothing');
  expect(one.found(folder)).toEqual([]);
  writeFileSync(config, Buffer.concat([Buffer.from([0, 255, 1]), Buffer.from(SECRET), Buffer.from([0, 10])]));
  expect(one.found(folder)).toEqual([`${config}: token (plain)`]);
});

it("finds it in a process's arguments and in its environment", async () => {
  for (const [env, args, where] of [
    [{}, [`--header=${SECRET}`], 'now-arguments'],
    [{ TOKEN: SECRET }, [], 'now-environment'],
  ] as const) {
    using one = hunt();
    one.sawProcesses('now');
    expect(one.found()).toEqual([]);
    await whileRunning(env, [...args], () => one.sawProcesses('now'));
    expect(one.found()).toEqual([`${where}: token (plain)`]);
  }
});

it('checks only its own child processes', async () => {
  using one = hunt();
  // Its parent has ended, so it is in no process tree of ours.
  const started = spawnSync('sh', ['-c', 'sleep 60 >/dev/null 2>&1 </dev/null & echo $!'], {
    env: { PATH: process.env.PATH, TOKEN: SECRET },
    encoding: 'utf8',
  });
  const pid = Number(started.stdout);
  try {
    expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).toContain(SECRET);
    one.sawProcesses('now');
    expect(one.found()).toEqual([]);
  } finally {
    process.kill(pid);
  }
});

it('takes no secret that would be found by chance', () => {
  using one = openSecretHunt();
  expect(() => one.add('password', 'short')).toThrow(/too short/);
});

it('finds nothing in vain: a folder that is not there is no folder without secrets', () => {
  using one = hunt();
  expect(() => one.found(join(folder, 'misspelt'))).toThrow('Not all could be searched');
});
