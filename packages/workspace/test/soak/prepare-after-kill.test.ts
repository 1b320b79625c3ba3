import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { IssueId, RepoId } from '@sluice/core/id';
import type { Workspace } from '@sluice/core/workspace';
import { isSoakRun, until } from '@sluice/testing';
import { expect, test } from 'vitest';
import { plainGit, scratchFolder, scratchRepository } from '../../src/git/test/scratch.ts';
import { never, requester, workspaceScratch, workspacesOptions } from '../../src/worktree/test/workspace-scratch.ts';
import { createWorkspaces } from '../../src/worktree/workspaces.ts';

const FILES = 1_500;
const FOLDERS = 40;

interface Child {
  readonly process: ChildProcess;
  said(): string;
  readonly ended: Promise<void>;
}

function prepareElsewhere(...args: string[]): Child {
  const script = fileURLToPath(new URL('../../src/worktree/test/prepare-once.ts', import.meta.url));
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      said += text;
    });
  }
  return { process: child, said: () => said, ended: new Promise((resolve) => child.once('close', () => resolve())) };
}

async function expectWhole(workspace: Workspace, files: number): Promise<void> {
  const status = await plainGit(workspace.root, '--no-optional-locks', 'status', '--porcelain');
  expect(status.split('\n').filter((line) => line !== '' && !line.endsWith(' new.txt'))).toEqual([]);
  expect((await workspace.files.list()).filter((path) => path !== 'new.txt')).toHaveLength(files);
  expect(await plainGit(workspace.root, 'symbolic-ref', '--short', 'HEAD')).toBe(workspace.branch);
  await workspace.diff(never);
}

interface Moment {
  readonly what: string;
  /** Whether it needs a clone, or a tree, that is not there yet. */
  readonly fresh: 'clone' | 'tree' | 'nothing';
  come(at: { root: string; tree: string; entry: string; said: string }): boolean;
}

/** The moments at which a kill hurts. Each is waited for, and a little longer by chance. */
const moments: readonly Moment[] = [
  { what: 'cloning', fresh: 'clone', come: ({ root }) => count(join(root, 'unfinished')) > 0 },
  { what: 'registering the tree', fresh: 'tree', come: ({ entry }) => existsSync(entry) },
  { what: 'checking out', fresh: 'tree', come: ({ entry }) => existsSync(join(entry, 'index.lock')) },
  { what: 'half checked out', fresh: 'clone', come: ({ tree }) => count(tree) > FOLDERS / 2 },
  { what: 'mending', fresh: 'nothing', come: ({ said }) => said.includes('begun') },
  { what: 'keeping', fresh: 'tree', come: ({ said }) => said.includes('prepared') },
  { what: 'committing', fresh: 'tree', come: ({ said }) => said.includes('kept') },
  { what: 'restoring', fresh: 'nothing', come: ({ said }) => said.includes('committed') },
  { what: 'resetting', fresh: 'nothing', come: ({ entry }) => existsSync(join(entry, 'sluice-resetting')) },
];

test(`prepares again after a kill -9 while ${moments.map(({ what }) => what).join(', ')}`, async () => {
  await using scratch = await scratchFolder();
  const files = Object.fromEntries(
    Array.from({ length: FILES }, (_, n) => [`d${n % FOLDERS}/f${n}.txt`, `${n}\n`.repeat(20)]),
  );
  const origin = await scratchRepository(scratch.join('origin'), files);
  const root = scratch.join('data');
  const ids = { issueId: randomUUID(), repoId: randomUUID() };
  const tried = isSoakRun ? [...moments, ...moments] : moments.filter((_moment, index) => index % 2 === 0);
  let cut = 0;
  for (const moment of tried) {
    if (moment.fresh === 'clone') ids.repoId = randomUUID();
    if (moment.fresh !== 'nothing') ids.issueId = randomUUID();
    const child = prepareElsewhere(root, origin, ids.issueId, ids.repoId);
    const tree = join(root, 'trees', ids.issueId);
    const entry = join(root, 'caches', `${ids.repoId}.git`, 'worktrees', ids.issueId);
    const ended = (): boolean => child.process.exitCode !== null;
    await until(
      `the moment of ${moment.what}`,
      () => ended() || moment.come({ root, tree, entry, said: child.said() }),
    );
    await sleep(Math.random() * 15);
    child.process.kill('SIGKILL');
    // Not waiting for what it had started: a git of the dead process may still be writing.
    await until('the child is dead', () => ended() || child.process.signalCode !== null);
    if (!child.said().includes('done')) cut += 1;

    const request = requester(origin)();
    const workspaces = createWorkspaces(workspacesOptions(root));
    const workspace = await workspaces.prepare({
      ...request,
      issueId: ids.issueId as IssueId,
      repo: { ...request.repo, repoId: ids.repoId as RepoId },
      branch: `sluice/${ids.issueId.slice(-8)}`,
    });
    await expectWhole(workspace, FILES);
    await workspace.files.write('new.txt', `${moment.what}\n`);
    expect(await workspace.commit({ message: 'after', signal: never })).toMatchObject({
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    await workspaces.settled();
    await child.ended;
  }
  // The kills really hit the work, not only its end.
  expect(cut).toBeGreaterThanOrEqual(tried.length / 2);
  expect(await readdir(join(root, 'trash'))).toEqual([]);
  const unfinished = await readdir(join(root, 'unfinished'));
  expect(unfinished.filter((name) => name.endsWith('.git'))).toEqual([]);
});

function count(folder: string): number {
  return existsSync(folder) ? readdirSync(folder).length : 0;
}

test('keeps the uncommitted work of an issue whose process died', async () => {
  await using it = await workspaceScratch();
  const workspace = await it.prepare();
  await workspace.files.write('src/new.js', 'half done\n');
  await writeFile(join(it.root, 'caches', `${workspace.repoId}.git`, 'worktrees', workspace.issueId, 'index.lock'), '');
  const again = await createWorkspaces(workspacesOptions(it.root)).prepare(
    it.request({ baseCommit: workspace.baseCommit }),
  );
  expect(await again.files.read('src/new.js')).toBe('half done\n');
  expect((await again.diff(never)).files).toHaveLength(1);
});

/** States that a kill can leave, made by hand, so that each is met in every run. */
const damages: Record<string, (paths: { tree: string; entry: string; cache: string }) => Promise<unknown>> = {
  'the tree is gone': ({ tree }) => rm(tree, { recursive: true }),
  'the mark is missing': ({ entry }) => rm(join(entry, 'sluice-ready')),
  'its entry is locked and half written': async ({ entry }) => {
    await rm(entry, { recursive: true });
    await mkdir(entry);
    await writeFile(join(entry, 'locked'), 'initializing');
    await writeFile(join(entry, 'commondir'), '');
  },
  'its entry is gone': ({ entry }) => rm(entry, { recursive: true }),
  'its index is cut off': ({ entry }) => writeFile(join(entry, 'index'), 'DIRC'),
  'its index is gone': ({ entry }) => rm(join(entry, 'index')),
  'a reset was under way': async ({ tree, entry }) => {
    await rm(join(tree, 'src'), { recursive: true });
    await writeFile(join(entry, 'sluice-resetting'), '');
  },
  "another issue's entry is half written": async ({ cache, entry }) => {
    await rm(entry, { recursive: true });
    await mkdir(join(cache, 'worktrees', 'other'), { recursive: true });
    await writeFile(join(cache, 'worktrees', 'other', 'commondir'), '');
    await writeFile(join(cache, 'sluice-busy'), '');
  },
  'lock files are left in the cache': async ({ cache, entry }) => {
    await rm(entry, { recursive: true });
    for (const name of ['packed-refs.lock', 'config.lock', 'HEAD.lock']) await writeFile(join(cache, name), '');
    await mkdir(join(cache, 'refs/heads/sluice'), { recursive: true });
    await writeFile(join(cache, 'refs/heads/sluice', `${entry.slice(-8)}.lock`), '');
    await writeFile(join(cache, 'sluice-busy'), '');
  },
};

test.each(Object.keys(damages))('prepares again when %s', async (what) => {
  await using it = await workspaceScratch();
  const first = await it.prepare();
  const cache = join(it.root, 'caches', `${first.repoId}.git`);
  await damages[what]?.({ tree: first.root, entry: join(cache, 'worktrees', first.issueId), cache });
  await plainGit(it.origin, 'commit', '-q', '--allow-empty', '-m', 'later');
  const workspace = await it.prepare({ baseCommit: first.baseCommit });
  expect(workspace.baseCommit).toBe(first.baseCommit);
  await expectWhole(workspace, 2);
});
