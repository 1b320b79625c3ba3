import { expect, it } from 'vitest';
import { openChangeBench } from '../change-bench.ts';

// Usual way: packages/code-host/src/github/code-host-changes.test.ts

const REPO = 'ada/engine';

it('finds no revert that was reverted, and finds the next one', async () => {
  await using bench = await openChangeBench();
  const mergeCommit = await bench.there.merge(bench.place, 'squash');
  const of = bench.merged(mergeCommit);
  const undo = (commit: string, text: string) =>
    bench.push('main', { 'a.txt': text }, { message: `Revert\n\nThis reverts commit ${commit}.` });
  await undo(await undo(mergeCommit, ''), 'a');
  expect(await bench.revertOf(of)).toBeNull();
  const last = await undo(mergeCommit, '');
  expect(await bench.revertOf(of)).toMatchObject({ commit: last });
});

it("finds a revert that was merged as one commit, by the host's own words and the number", async () => {
  await using bench = await openChangeBench();
  const of = bench.merged(await bench.there.merge(bench.place, 'squash'));
  await bench.push('main', { 'b.txt': 'b' }, { message: `Revert "B" (#9)\n\nReverts ${REPO}#${bench.number}1` });
  expect(await bench.revertOf(of)).toBeNull();
  const message = `Revert "A" (#9)\n\nReverts ${REPO}#${bench.number}`;
  const commit = await bench.push('main', { 'a.txt': '' }, { message });
  expect(await bench.revertOf(of)).toMatchObject({ commit });
});
