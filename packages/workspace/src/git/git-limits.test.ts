import { execFile } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { findControlGroups } from '@sluice/sandbox';
import { localHosts, newId } from '@sluice/testing';
import { expect, test } from 'vitest';
import { createGit } from './git.ts';
import { limitedGit } from './git-limits.ts';
import { openGitGroup } from './open-git-group.ts';
import { createRemoteInspector } from './remote-inspector.ts';
import { startHostileOrigin } from './test/hostile-origin.ts';

const MIB = 1024 ** 2;
const never = new AbortController().signal;
const limits = { memoryBytes: 300 * MIB, cloneBytes: 20 * MIB };
const groups = await findControlGroups();
const canGroup = groups.memory && groups.processes;
if (!canGroup) console.warn('not run on this machine, which lets no control group be made: git in a group of its own');

const SHOW_LIMITS = '!ulimit -d; ulimit -f; ulimit -c; ulimit -t';

test('limits memory, files, core dumps and processor time of all that git starts', async () => {
  const { stdout } = await createGit({ limits }).run(['-c', `alias.x=${SHOW_LIMITS}`, 'x'], { timeoutMs: 10_000 });
  expect(stdout.toString().trim().split('\n')).toEqual([String(300 * 1024), String(20 * 2048), '0', '40']);
});

test('lets a call have less than the limits, and never more', async () => {
  const git = createGit({ limits });
  const ask = async (call: object) => (await git.run(['-c', 'alias.x=!ulimit -d; ulimit -f', 'x'], call)).stdout;
  expect((await ask({ memoryBytes: MIB, fileBytes: MIB })).toString()).toBe('1024\n2048\n');
  expect((await ask({ memoryBytes: 900 * MIB, fileBytes: 900 * MIB })).toString()).toBe(
    `${300 * 1024}\n${20 * 2048}\n`,
  );
});

test('holds the limits and the number of processes of an ordinary user', async () => {
  const [program, ...args] = limitedGit(['-c', `alias.x=${SHOW_LIMITS}; ulimit -p || ulimit -u`, 'x'], {
    memoryBytes: 300 * MIB,
    fileBytes: 20 * MIB,
    timeoutMs: 10_000,
    joinFiles: [],
  });
  const isRoot = process.getuid?.() === 0;
  const drop = [
    'setpriv',
    '--reuid=54321',
    '--regid=54321',
    '--clear-groups',
    '--bounding-set=-all',
    '--inh-caps=-all',
  ];
  const [first = '', ...rest] = [...(isRoot ? drop : []), program, ...args];
  const { stdout } = await promisify(execFile)(first, rest, { cwd: '/', env: { PATH: process.env.PATH } });
  expect(stdout.split('\n').slice(0, 5)).toEqual([String(300 * 1024), String(20 * 2048), '0', '40', '16384']);
});

test('ends a git whose memory a compressed answer fills, and says at registration what is wrong', async () => {
  await using origin = await startHostileOrigin('compressed listing');
  const inspector = createRemoteInspector({
    allowLocalRepos: false,
    allowPrivateHosts: true,
    allowInsecureHttp: true,
    hosts: localHosts,
  });
  await expect(inspector.inspect({ url: origin.url, token: null, userId: newId() }, never)).rejects.toMatchObject({
    code: 'repo_unreachable',
    message: "The answer of the repository's server is too large: it takes more than 256 MiB of memory.",
  });
  expect(origin.sent()).toBeLessThan(700 * MIB);
});

test.runIf(canGroup)('holds all git processes of the service in one group', async () => {
  const group = await openGitGroup(groups);
  if (group === null) throw new Error('no group was made');
  const name = basename(dirname(group.joinFiles[0] ?? ''));
  const git = createGit({ group });
  const { stdout } = await git.run(['-c', 'alias.x=!cat /proc/self/cgroup', 'x']);
  expect(stdout.toString().split(`/${name}\n`).length - 1).toBe(group.joinFiles.length);
  await group.remove();
  // Where somebody has removed it, git still runs under its other limits.
  expect((await git.run(['version'])).exitCode).toBe(0);
});

test.runIf(canGroup)(
  'kills the process that takes too much of the memory of all, and lets the others go on',
  async () => {
    const group = await groups.create({ memoryBytes: 96 * MIB, processes: 50, memberAlone: true });
    const git = createGit({ group });
    const hog = git.run(['-c', 'alias.x=!head -c 400M /dev/zero | tail', 'x']);
    const other = git.run(['-c', 'alias.x=!sleep 0.5; echo there', 'x']);
    await expect(hog).rejects.toMatchObject({ code: 'git_failed' });
    expect((await other).stdout.toString()).toBe('there\n');
    expect(await group.memoryKills()).toBeGreaterThan(0);
    await group.remove();
  },
);
