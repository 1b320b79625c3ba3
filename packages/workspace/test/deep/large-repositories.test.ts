import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { AppError } from '@sluice/core/error';
import { expect, test } from 'vitest';
import { DEFAULT_GIT_LIMITS } from '../../src/git/git-limits.ts';
import { startHostileOrigin } from '../../src/git/test/hostile-origin.ts';
import { plainGit } from '../../src/git/test/scratch.ts';
import { createBaseBranches } from '../../src/worktree/base-branches.ts';
import {
  never,
  newIssueId,
  type WorkspaceScratch,
  workspaceScratch,
  workspacesOptions,
} from '../../src/worktree/test/workspace-scratch.ts';

// Usual way: packages/workspace/src/worktree/workspaces.test.ts

const MIB = 1024 ** 2;
const overHttp = { allowLocalRepos: false, allowPrivateHosts: true, allowInsecureHttp: true };

async function failure(call: Promise<unknown>): Promise<AppError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error(`no AppError: ${String(error)}`);
  return error;
}

/** Points `main` at a tree that `git mktree` makes of these lines. */
async function commitTreeOf(origin: string, lines: readonly string[]): Promise<void> {
  const commit = await plainGit(origin, 'commit-tree', makeTree(origin, lines), '-m', 'large');
  await plainGit(origin, 'update-ref', 'refs/heads/main', commit);
}

function makeTree(origin: string, lines: readonly string[]): string {
  return execFileSync('git', ['mktree'], { cwd: origin, input: lines.join('\n') })
    .toString()
    .trim();
}

/** Ten folders in each of ten folders and so on: ten thousand million files out of eleven objects. */
async function plantTreeBomb(origin: string): Promise<void> {
  const blob = await plainGit(origin, 'rev-parse', 'HEAD:README.md');
  const ten = (kind: string, name: string) => Array.from({ length: 10 }, (_, n) => `${kind}\t${name}${n}`);
  let tree = makeTree(origin, ten(`100644 blob ${blob}`, 'f'));
  for (let level = 0; level < 8; level += 1) tree = makeTree(origin, ten(`040000 tree ${tree}`, 'd'));
  await commitTreeOf(origin, ten(`040000 tree ${tree}`, 'd'));
}

/** What an attempt leaves on the disk besides the clone itself. */
async function leftovers(it: WorkspaceScratch): Promise<string[]> {
  await it.workspaces.settled();
  const left: string[] = [];
  for (const folder of ['trees', 'trash', 'unfinished']) left.push(...(await readdir(`${it.root}/${folder}`)));
  for (const cache of await readdir(`${it.root}/caches`)) {
    const packs = await readdir(`${it.root}/caches/${cache}/objects/pack`);
    left.push(...packs.filter((name) => name.startsWith('tmp_')));
  }
  return left;
}

test('refuses a tree of thousands of millions of files before it checks out one, and does not try again', async () => {
  await using it = await workspaceScratch();
  const { tip } = await basesOf(it).since({ ...sinceStart(it), baseCommit: await headOf(it) });
  await plantTreeBomb(it.origin);
  const error = await failure(it.prepare());
  expect([error.code, error.retry]).toEqual(['repo_too_large', false]);
  expect(error.message).toBe(
    'The commit is too large to be checked out: it has more than 500000 files and folders. The operator can raise REPO_MAX_FILES.',
  );
  expect(await leftovers(it)).toEqual([]);
  // Comparing it with a base would list every one of them.
  expect((await failure(basesOf(it).since({ ...sinceStart(it), baseCommit: tip }))).code).toBe('repo_too_large');
});

const basesOf = (it: WorkspaceScratch) => createBaseBranches(workspacesOptions(it.root));
const sinceStart = (it: WorkspaceScratch) => ({ repo: it.request().repo, branch: 'main', signal: never });
const headOf = (it: WorkspaceScratch) => plainGit(it.origin, 'rev-parse', 'HEAD');

test('refuses one blob under many names by the sum of their bytes', async () => {
  await using it = await workspaceScratch({ big: 'x'.repeat(MIB) }, { treeLimits: { files: 1_000, bytes: 10 * MIB } });
  const blob = await plainGit(it.origin, 'rev-parse', 'HEAD:big');
  await commitTreeOf(
    it.origin,
    Array.from({ length: 11 }, (_, n) => `100644 blob ${blob}\tz${n}`),
  );
  const error = await failure(it.prepare());
  expect([error.code, error.message]).toEqual([
    'repo_too_large',
    'The commit is too large to be checked out: its files take more than 10 MiB. The operator can raise REPO_MAX_TREE_SIZE.',
  ]);
  expect(await leftovers(it)).toEqual([]);
});

test.each([
  ['folders nested too deeply', 'd/'.repeat(300), /nested more than 256 deep/],
  ['a path that is too long', `${'d'.repeat(200)}/`.repeat(11), /a path of more than 2048 bytes/],
])('refuses %s', async (_what, folders, message) => {
  await using it = await workspaceScratch();
  const data = `commit refs/heads/main\ncommitter a <a@b> 1 +0000\ndata 1\nx\nM 100644 inline ${folders}f\ndata 1\nx\n`;
  execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: it.origin, input: data });
  const error = await failure(it.prepare());
  expect([error.code, error.message]).toEqual(['repo_too_large', expect.stringMatching(message)]);
});

test('takes a tree that is just within the limits', async () => {
  await using it = await workspaceScratch(
    { 'a/b': 'x'.repeat(1_000), c: 'y'.repeat(1_000) },
    { treeLimits: { files: 3, bytes: 2_000 } },
  );
  const workspace = await it.prepare();
  expect(await workspace.files.list()).toEqual(['a/b', 'c']);
});

test('ends a fetch whose clone becomes too large, deletes what it wrote, and does not try again', async () => {
  await using it = await workspaceScratch(undefined, { gitLimits: { ...DEFAULT_GIT_LIMITS, cloneBytes: 2 * MIB } });
  const { baseCommit } = await it.prepare();
  // What does not compress.
  await promisify(execFile)('/bin/sh', ['-c', 'head -c 4M /dev/urandom > big'], { cwd: it.origin });
  await plainGit(it.origin, 'add', '-A');
  await plainGit(it.origin, 'commit', '-q', '-m', 'big');
  const [fresh, later] = [it.request().repo, { ...it.request().repo, repoId: newIssueId() as never }];
  for (const repo of [fresh, later]) {
    const issueId = newIssueId();
    const error = await failure(it.prepare({ repo, issueId }));
    expect([error.code, error.retry, error.message]).toEqual([
      'repo_too_large',
      false,
      expect.stringContaining('REPO_MAX_CLONE_SIZE'),
    ]);
  }
  expect((await leftovers(it)).filter((name) => name !== it.request().issueId)).toEqual([]);
  // The issue that has its commit goes on.
  expect((await it.prepare({ baseCommit })).baseCommit).toBe(baseCommit);
});

test('deletes what a process that was killed in a fetch has left, and does not count it', async () => {
  await using it = await workspaceScratch(undefined, { gitLimits: { ...DEFAULT_GIT_LIMITS, cloneBytes: 2 * MIB } });
  await it.prepare();
  const [cache] = await readdir(`${it.root}/caches`);
  const left = `${it.root}/caches/${cache}/objects/pack/tmp_pack_killed`;
  await writeFile(left, Buffer.alloc(3 * MIB));
  const minuteAgo = Date.now() / 1_000 - 60;
  await utimes(left, minuteAgo, minuteAgo);
  await it.prepare({ issueId: newIssueId() });
  expect(existsSync(left)).toBe(false);
});

test.each([
  ['endless pack', {}, 'REPO_MAX_CLONE_SIZE'],
  ['slow pack', { remoteTimeoutMs: 1_500 }, 'took longer than'],
  ['compressed listing', {}, 'GIT_MAX_MEMORY'],
] as const)('ends a fetch from a server that answers with: %s', async (harm, options, words) => {
  await using origin = await startHostileOrigin(harm);
  const gitLimits = { memoryBytes: 256 * MIB, cloneBytes: 20 * MIB };
  await using it = await workspaceScratch(undefined, { ...overHttp, gitLimits, ...options });
  const error = await failure(it.prepare({ repo: { ...it.request().repo, url: origin.url } }));
  expect([error.code, error.message]).toEqual(['repo_too_large', expect.stringContaining(words)]);
  expect(origin.sent()).toBeLessThan(700 * MIB);
  expect(await leftovers(it)).toEqual([]);
});

/** Prepares an issue on a separate file system of 32 MiB, and returns the space that is left afterwards. */
const ON_A_SMALL_DISK = `
  const [, folder, origin, module] = process.argv;
  const { statfsSync } = await import('node:fs');
  const { createWorkspaces } = await import(module);
  const workspaces = createWorkspaces({
    root: folder + '/data', author: { name: 'a', email: 'a@b' }, allowLocalRepos: true, allowPrivateHosts: false,
  });
  const free = () => { const { bavail, bsize } = statfsSync(folder); return bavail * bsize; };
  const before = free();
  const id = '0198c0de-0000-7000-8000-000000000001';
  const repo = { repoId: id, url: origin, token: async () => null };
  const said = await workspaces
    .prepare({ issueId: id, repo, baseBranch: 'main', branch: 'x/y', baseCommit: null, signal: new AbortController().signal })
    .then(() => 'prepared', (error) => error.code + ': ' + error.message);
  await workspaces.settled();
  process.stdout.write(JSON.stringify({ said, kept: before - free() }));`;

test.each([
  {
    what: 'history',
    mib: 45,
    words: /^disk_full: .*disk .* is (nearly )?full/,
    keptMib: 3,
  },
  {
    what: 'files',
    mib: 20,
    words: /^disk_full: The files of the commit take 20.* MiB, and the disk of this server has room for/,
    keptMib: 23,
  },
])('leaves the disk as it was when the $what of a repository do not fit', async ({ mib, words, keptMib }) => {
  await using it = await workspaceScratch();
  await promisify(execFile)('/bin/sh', ['-c', `head -c ${mib}M /dev/urandom > big`], { cwd: it.origin });
  await plainGit(it.origin, 'add', '-A');
  await plainGit(it.origin, 'commit', '-q', '-m', 'big');
  const small = it.scratch.join('small');
  await mkdir(small);
  const module = new URL('../../src/worktree/workspaces.ts', import.meta.url).href;
  const disk = ['--dev-bind', '/', '/', '--size', String(32 * MIB), '--tmpfs', small];
  const node = [process.execPath, '--input-type=module', '-e', ON_A_SMALL_DISK, small, it.origin, module];
  const { stdout } = await promisify(execFile)('bwrap', [...disk, ...node]);
  const answer = JSON.parse(stdout) as { said: string; kept: number };
  expect(answer.said).toMatch(words);
  expect(answer.kept).toBeLessThan(keptMib * MIB);
});
