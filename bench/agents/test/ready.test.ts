import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { fetchCommit } from '../src/ready/fetch-commit.ts';
import { makeReadyTasks, readyId } from '../src/ready/make-ready-tasks.ts';
import { chosenTasks, readyList } from '../src/ready/ready-list.ts';
import { npmTask } from '../src/ready/ready-task.ts';
import { runGit } from '../src/repo/task-repo.ts';
import { readTasks } from '../src/task/task.ts';
import { UsageError } from '../src/usage/usage-error.ts';
import { makeHistory } from './history.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-ready-'));
const scratch = () => mkdtempSync(join(root, 'run-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const { signal } = new AbortController();

/** A code host with one repository, `them/sums`. @returns its address and the repository's commits, newest first */
function codeHost() {
  const folder = scratch();
  const served = makeHistory(join(folder, 'them'), 'sums.git');
  const commits = runGit(served, 'log', '--format=%H').trim().split('\n');
  return { origin: `file://${folder}`, served, commits };
}

const row = (commit: string, repository = 'them/sums') =>
  npmTask({ repository, commit, tried: null }, { test: 'node --test', verify: 'node --test {files}' });

it('lists fixes in 30 repositories, five for each of six toolchains, by whole commit ids', () => {
  expect(readyList).toHaveLength(30);
  expect(new Set(readyList.map(({ repository }) => repository)).size).toBe(30);
  expect(new Set(readyList.map(readyId)).size).toBe(30);
  const perImage = Map.groupBy(readyList, ({ image }) => image);
  expect([...perImage.values()].map((tasks) => tasks.length)).toEqual([10, 5, 5, 5, 5]);
  for (const { repository, commit, setupCommand, allowHosts } of readyList) {
    expect(commit, repository).toMatch(/^[0-9a-f]{40}$/);
    expect(setupCommand, repository).not.toBe('');
    expect(allowHosts.length, repository).toBeGreaterThan(0);
  }
});

it('chooses rows by the names of their repositories, and all without a name', () => {
  expect(chosenTasks(readyList, [])).toEqual(readyList);
  expect(chosenTasks(readyList, ['click']).map(({ repository }) => repository)).toEqual(['pallets/click']);
  expect(() => chosenTasks(readyList, ['click', 'clack'])).toThrow('The ready list has no "clack". It has: express, ');
});

it('fetches a commit and its base, and nothing else of the history', async () => {
  const { origin, commits } = codeHost();
  const clones = scratch();
  const [newest = '', fix = ''] = commits;
  const clone = await fetchCommit('them/sums', fix, { clones, origin, signal });
  expect(clone).toBe(join(clones, 'them__sums'));
  expect(runGit(clone, 'rev-list', fix).trim().split('\n')).toEqual(commits.slice(1));
  expect(() => runGit(clone, 'cat-file', '-e', newest)).toThrow();
  // It is there now, so that no network is needed.
  expect(await fetchCommit('them/sums', fix, { clones, origin: 'file:///nowhere', signal })).toBe(clone);
});

it('names the repository, the address and a remedy where a commit cannot be had', async () => {
  const { origin, commits } = codeHost();
  const clones = scratch();
  const faultOf = (repository: string, commit: string, from = origin) =>
    fetchCommit(repository, commit, { clones, origin: from, signal }).then(
      () => 'it was fetched',
      (error: Error) => (error instanceof UsageError ? error.message : `a bug: ${error.message}`),
    );
  const gone = 'f'.repeat(40);
  expect(await faultOf('them/sums', gone)).toMatch(
    /^them\/sums has no commit f{40} any more \(file:.*\)\. Leave it out with --only, or name another commit in bench/,
  );
  expect(await faultOf('them/moved', gone)).toMatch(
    /^There is no public repository at file:.*\/them\/moved\.git \(.*\)\. If it has moved, clone it to .*them__moved;/,
  );
  expect(await faultOf('them/away', gone, 'http://127.0.0.1:1')).toMatch(
    /^them\/away could not be fetched from http:\/\/127\.0\.0\.1:1\/them\/away\.git: .*\. Check the network and try again, or clone it to .*them__away\.$/,
  );
  // A person may clone it to where the message says, and a later fetch works.
  expect(readdirSync(clones)).toEqual([]);
  const [, fix = ''] = commits;
  expect(await faultOf('them/sums', fix)).toBe('it was fetched');
});

it("uses a person's own clone as it is, and fetches nothing into it", async () => {
  const { origin, served, commits } = codeHost();
  const clones = scratch();
  const own = join(clones, 'them__sums');
  runGit(clones, 'clone', '-q', served, own);
  const [, fix = ''] = commits;
  expect(await fetchCommit('them/sums', fix, { clones, origin: 'file:///nowhere', signal })).toBe(own);
  await expect(fetchCommit('them/sums', 'f'.repeat(40), { clones, origin, signal })).rejects.toThrow(
    `${own} does not hold the commit ${'f'.repeat(40)} and its parent. Fetch it there`,
  );
  expect(runGit(own, 'rev-parse', '--is-shallow-repository').trim()).toBe('false');
});

it('makes the tasks that can be made, reports the others, and makes none again', async () => {
  const { origin, commits } = codeHost();
  const [easy = '', fix = '', first = ''] = commits;
  const out = scratch();
  const reports: string[] = [];
  const given = {
    list: [row(easy), row('f'.repeat(40)), row(first), row(fix)],
    ...{ out, origin, signal, clones: scratch() },
    report: (line: string) => reports.push(line),
    verify: async ({ baseCommit }: { readonly baseCommit: string }) =>
      baseCommit === fix ? 'its tests pass without the change' : null,
  };
  const made = await makeReadyTasks(given);
  expect(made.map(({ id }) => id)).toEqual([`sums-${fix.slice(0, 10)}`]);
  const [task] = made;
  expect(task).toMatchObject({
    repository: 'https://github.com/them/sums',
    baseCommit: first,
    allowHosts: ['registry.npmjs.org'],
    setupCommand: expect.stringContaining('npm install --ignore-scripts'),
  });
  expect(existsSync(join(task?.files ?? '', '.git'))).toBe(false);
  expect(readFileSync(join(task?.folder ?? '', 'tests/test.sh'), 'utf8')).toContain("node --test 'test/add.test.js'");
  const log = reports.join('\n');
  expect(log).toContain(`sums-${easy.slice(0, 10)} (1 of 4): left out: its tests pass without the change`);
  expect(log).toContain('(2 of 4): left out: them/sums has no commit f');
  expect(log).toContain('(3 of 4): left out: it has no parent');
  expect(log).toContain(`(4 of 4): fetches ${fix.slice(0, 10)} of them/sums; its commands are untried`);
  expect(readTasks(out)).toEqual(made);

  const again = { ...given, list: [row(fix)], verify: () => expect.unreachable('it was made') };
  expect(await makeReadyTasks(again)).toEqual(made);
});
