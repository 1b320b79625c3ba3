import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@sluice/testing';
import { afterAll, expect, it } from 'vitest';
import { type MakeTasks, makeTasks } from '../src/task/make-tasks.ts';
import { instructionOf, taskCommit } from '../src/task/task-commits.ts';
import { openHistory } from './history.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-make-'));
const scratch = () => mkdtempSync(join(root, 'run-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Makes tasks of a history, with what was reported. Each draft is taken, where a test says nothing else. */
async function madeOf(clone: string, change: Partial<MakeTasks> = {}) {
  const reports: string[] = [];
  const made = await makeTasks({
    clone,
    out: scratch(),
    count: 9,
    since: '2000-01-01',
    until: 'HEAD',
    setupCommand: null,
    testCommand: 'run-tests',
    verifyCommand: 'run-tests {files}',
    allowHosts: [],
    image: 'none',
    texts: {},
    verify: async () => null,
    report: (line) => reports.push(line),
    ...change,
  });
  return { made, reports, log: reports.join('\n') };
}

it.each([
  ['index.js', 'test.js'],
  ['shop/cart.py', 'shop/tests.py'],
  ['src/cart.cs', 'Shop.Tests/CartShould.cs'],
  ['src/parse.ts', 'test/specs/new/fence.html'],
])('makes a task of a commit that changes %s and %s', async (source, test) => {
  const { folder, commit } = openHistory(scratch(), 'a-repo');
  commit('2026-03-01', 'feat: begin', { [source]: '1', [test]: '1' });
  const fix = commit('2026-03-02', 'fix: count', { [source]: '2', [test]: '2' });
  const { made } = await madeOf(folder);
  expect(made.map(({ id }) => id)).toEqual([`a-repo-${fix.slice(0, 10)}`]);
  const [task] = made;
  expect(readFileSync(join(task?.folder ?? '', 'tests/files', test), 'utf8')).toBe('2');
  expect(readFileSync(join(task?.files ?? '', test), 'utf8')).toBe('1');
  const solution = readFileSync(join(task?.folder ?? '', 'solution/change.patch'), 'utf8');
  expect(solution).toContain(`b/${source}`);
  expect(solution).not.toContain(test);
});

it('gives the command that decides the hidden tests, and not their data', async () => {
  const { folder, commit } = openHistory(scratch(), 'a-repo');
  commit('2026-03-01', 'feat: begin', { 'a.py': '1' });
  commit('2026-03-02', 'fix: count', { 'a.py': '2', 'tests/test_a.py': '2', 'tests/data/rows.json': '{}' });
  const [task] = (await madeOf(folder)).made;
  const script = readFileSync(join(task?.folder ?? '', 'tests/test.sh'), 'utf8');
  expect(script).toContain("( run-tests 'tests/test_a.py' )");
});

it('reports each commit that it looked at, with why it was dropped, and sums up why there are too few', async () => {
  const { folder, commit } = openHistory(scratch(), 'a-repo');
  const all = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`src/${at}.go`, '1']));
  const ids = [
    commit('2026-03-01', 'feat: begin', { 'a.go': '1', 'a_test.go': '1' }),
    commit('2026-03-02', 'docs: explain', { 'README.md': '1' }),
    commit('2026-03-03', 'test: more', { 'a_test.go': '2' }),
    commit('2026-03-04', 'fix: silently', { 'a.go': '2' }),
    commit('2026-03-05', 'refactor: all', { ...all, 'a_test.go': '3' }),
    commit('2026-03-06', 'fix: too easy', { 'a.go': '3', 'a_test.go': '4' }),
  ];
  const { made, reports, log } = await madeOf(folder, {
    verify: async () => 'its tests pass without the change\n    ok 1',
  });
  expect(made).toEqual([]);
  const short = (at: number) => `a-repo-${ids[at]?.slice(0, 10)}`;
  for (const line of [
    `${short(5)} 2026-03-06 "fix: too easy": dropped: its tests pass without the change`,
    `${short(4)} 2026-03-05 "refactor: all": dropped: it changes more than 6 sources`,
    `${short(3)} 2026-03-04 "fix: silently": dropped: it changes no test`,
    `${short(2)} 2026-03-03 "test: more": dropped: it changes no source besides tests`,
    `${short(1)} 2026-03-02 "docs: explain": dropped: it changes no source besides tests`,
    `${short(0)} 2026-03-01 "feat: begin": dropped: it has no parent`,
  ])
    expect(log).toContain(line);
  const last = reports.at(-1);
  expect(last).toMatch(/^0 of 9 tasks were made\. 6 commits were dropped \(2 × it changes no source besides tests; /);
  expect(last).toContain('Look at what the tests printed above');
});

it('names the branch and the day when no commit is young enough', async () => {
  const { folder, commit } = openHistory(scratch(), 'a-repo');
  commit('2020-03-01', 'feat: begin', { 'a.go': '1' });
  const { reports } = await madeOf(folder, { since: '2026-01-01' });
  expect(reports).toEqual([
    `0 of 9 tasks were made. HEAD of ${folder} has no commit since 2026-01-01. Give an earlier day with --since, or another commit with --until.`,
  ]);
});

it('stops trying after five candidates for each task, and says what to correct', async () => {
  const { folder, commit } = openHistory(scratch(), 'a-repo');
  for (let day = 1; day < 9; day += 1) commit(`2026-03-0${day}`, 'fix', { 'a.go': `${day}`, 'a_test.go': `${day}` });
  const { reports } = await madeOf(folder, { count: 1, verify: async () => 'its tests do not run at the base: no go' });
  expect(reports.filter((line) => line.includes('dropped: its tests'))).toHaveLength(5);
  expect(reports.at(-1)).toContain('correct --setup, --test or --verify');
});

it('reports what runs and why other commits were dropped, when a first task takes long', async () => {
  const { folder, commit } = openHistory(scratch(), 'a-repo');
  commit('2026-03-01', 'feat: begin', { 'a.go': '1', 'a_test.go': '1' });
  commit('2026-03-02', 'fix: slowly', { 'a.go': '2', 'a_test.go': '2' });
  commit('2026-03-03', 'fix: silently', { 'a.go': '3' });
  const reports: string[] = [];
  const early = () => reports.find((line) => line.startsWith('There is no task yet.'));
  const { made } = await madeOf(folder, {
    firstReportMs: 1,
    report: (line) => reports.push(line),
    async verify(_task, progress) {
      progress('runs the setup command at the base');
      await eventually(() => expect(early()).toBeDefined());
      return null;
    },
  });
  expect(early()).toMatch(
    /^There is no task yet\. 1 commit was dropped \(1 × it changes no test\)\. For \d+ s, a-repo-\w{10} runs the setup command at the base\.$/,
  );
  expect(made).toHaveLength(1);
});

it('takes a merge for one change, told by the text of its request or by the commits that it brings', async () => {
  const { folder, commit, git } = openHistory(scratch(), 'a-repo');
  commit('2026-03-01', 'feat: begin', { 'a.go': '1', 'a_test.go': '1', 'b.go': '1' });
  const branch = (name: string, message: string) => {
    git('2026-03-02', 'checkout', '-q', '-b', name);
    commit('2026-03-02', `test: ${name}`, { 'a_test.go': name });
    commit('2026-03-02', `fix: ${name}`, { 'a.go': name });
    git('2026-03-03', 'checkout', '-q', 'main');
    git('2026-03-03', 'merge', '-q', '--no-ff', name, '-m', message);
    return git('2026-03-03', 'rev-parse', 'HEAD').trim();
  };
  const told = branch('one', 'Merge pull request #7 from them/one\n\nCount from one');
  const silent = branch('two', "Merge branch 'two'");
  const { made } = await madeOf(folder);
  expect(made.map(({ baseCommit, instruction }) => [baseCommit, instruction])).toEqual([
    [told, 'test: two\n\nfix: two\n'],
    [expect.any(String), 'Count from one\n'],
  ]);
  expect(taskCommit(folder, silent)).toMatchObject({ tests: ['a_test.go'], sources: ['a.go'] });
});

it('makes an instruction of a message without trailers and numbers of requests', () => {
  const message = 'fix: count (#12)\n\nIt was wrong.\n\nFixes #11\nSigned-off-by: A Person <a@example.com>\n';
  expect(instructionOf(message)).toBe('fix: count\n\nIt was wrong.\n');
});
