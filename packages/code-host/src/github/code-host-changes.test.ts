import { expect, it } from 'vitest';
import { openChangeBench } from '../../test/change-bench.ts';

const REPO = 'ada/engine';

it('tells whether a pull request can be merged, once the host has tried it', async () => {
  await using bench = await openChangeBench();
  const { there, details } = bench;
  const stateOf = async () => (await details()).mergeState;
  expect([await stateOf(), await stateOf()]).toEqual(['unknown', 'clean']);
  await bench.push('main', { 'b.txt': 'b' });
  expect([await stateOf(), await stateOf()]).toEqual(['unknown', 'clean']);
  there.builders.requireUpToDate(REPO);
  expect(await stateOf()).toBe('behind');
  await bench.push('main', { 'a.txt': 'other' });
  expect([await stateOf(), await stateOf()]).toEqual(['unknown', 'conflict']);
  there.close(bench.place);
  expect(await stateOf()).toBe('unknown');
});

it('tells when a pull request was opened, merged and closed, and what its merge left', async () => {
  await using bench = await openChangeBench();
  const { there, clock, details } = bench;
  const openedAt = clock.now();
  expect(await details()).toMatchObject({ openedAt, mergedAt: null, closedAt: null, mergeCommit: null });
  clock.advance(60_000);
  there.close(bench.place);
  expect(await details()).toMatchObject({ state: 'closed', mergedAt: null, closedAt: clock.now(), mergeCommit: null });
  there.reopen(bench.place);
  clock.advance(60_000);
  const mergeCommit = await there.merge(bench.place);
  const at = clock.now();
  expect(await details()).toMatchObject({ state: 'merged', openedAt, mergedAt: at, closedAt: at, mergeCommit });
});

it('compares two ends, with the tip of the base and the commit that they come from', async () => {
  await using bench = await openChangeBench();
  const { there, host, ada } = bench;
  const mergeBase = await there.git(REPO, 'rev-parse', 'main');
  const compare = (head: string) => host.compare(ada, REPO, { base: 'main', head });
  expect(await compare('sluice/1')).toEqual({ ahead: 1, behind: 0, baseCommit: mergeBase, mergeBase });
  const baseCommit = await bench.push('main', { 'b.txt': 'b' });
  const commit = await bench.push('sluice/1', { 'c.txt': 'c' });
  expect(await compare(commit)).toEqual({ ahead: 2, behind: 1, baseCommit, mergeBase });
  expect(await compare('main')).toMatchObject({ ahead: 0, behind: 0 });
  await expect(compare('absent')).rejects.toMatchObject({ code: 'codehost_not_found' });
});

it("tells people's commits on a pull request from others by their accounts", async () => {
  await using bench = await openChangeBench();
  const { there, host, ada, clock } = bench;
  const first = await there.git(REPO, 'rev-parse', 'sluice/1');
  const second = await bench.push('sluice/1', { 'b.txt': 'b' }, { by: 'bob' });
  const made = ['-c', 'user.name=Sluice', '-c', 'user.email=s@sluice.invalid'];
  const third = await there.git(REPO, ...made, 'commit-tree', `${second}^{tree}`, '-p', second, '-m', 'ours');
  await there.git(REPO, 'update-ref', 'refs/heads/sluice/1', third);
  const commits = await host.changeRequestCommits(ada, REPO, (await bench.details()).number);
  expect(commits.map(({ commit, author, committerEmail }) => [commit, author?.login ?? null, committerEmail])).toEqual([
    [first, 'ada', 'ada@localhost'],
    [second, 'bob', 'bob@localhost'],
    [third, null, 's@sluice.invalid'],
  ]);
  expect(commits[1]).toMatchObject({ parents: [first], committer: { login: 'bob', bot: false } });
  expect(commits[1]?.committedAt).toEqual(clock.now());
  await there.merge(bench.place);
  expect(await host.changeRequestCommits(ada, REPO, bench.number)).toEqual(commits);
});

it('finds the commit that took a merged change back', async () => {
  await using bench = await openChangeBench();
  const mergeCommit = await bench.there.merge(bench.place);
  const of = bench.merged(mergeCommit);
  expect(await bench.revertOf(of)).toBeNull();
  await bench.push('main', { 'b.txt': 'b' }, { message: `Look at ${mergeCommit}` });
  expect(await bench.revertOf(of)).toBeNull();
  const message = `Revert "A"\n\nThis reverts commit ${mergeCommit}, reversing\nchanges made to ${'f'.repeat(40)}.`;
  const commit = await bench.push('main', { 'a.txt': '' }, { message });
  const at = bench.clock.now();
  expect(await bench.revertOf(of)).toEqual({ commit, at, url: `${bench.there.url}/${REPO}/commit/${commit}` });
  await bench.push('main', { 'c.txt': 'c' });
  expect(await bench.revertOf(of)).toMatchObject({ commit });
});
