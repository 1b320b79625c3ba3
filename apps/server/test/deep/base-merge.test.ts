import { createCausedFollowUp } from '@sluice/core/follow-up';
import { type Issue, isTerminal } from '@sluice/core/issue';
import { newId, until } from '@sluice/testing';
import { expect, it } from 'vitest';
import { type Edit, makeHistoryRepo } from '../base-histories/history-repo.ts';
import { openHistoryWorld } from '../base-histories/history-world.ts';
import { scratchFolder } from '../scratch-server.ts';

// Usual way: packages/worker/test/sync-base.test.ts

const BRANCH = 'sluice/7-sum';
const LINES = ['1', '2', '3', '4', '5', '6', '7', '8', '9', ''].join('\n');

/** A pull request of which `a` is the planned file, with what people did on both sides, and its follow-ups at their end. */
async function merged(
  sides: { base: Edit[]; branch?: Edit[] },
  options: { hasModel?: boolean; settles?: boolean } = {},
) {
  const folder = scratchFolder();
  const world = await openHistoryWorld(folder, options);
  const repo = await makeHistoryRepo(`${folder}/remotes`, 'sum');
  const files = { a: LINES, c: LINES, flag: 'on\n', logo: 'a\0b\n' };
  await repo.begin(BRANCH, files, [{ path: 'a', line: 5, text: 'ours' }]);
  const change = { repo, codehostRepoId: newId(), number: 9, branch: BRANCH };
  const first = await world.published(change, { files: ['a', 'logo'], followBase: 'merge' });
  await world.start();
  if (sides.branch !== undefined) await repo.commit(BRANCH, sides.branch);
  await repo.commit('main', sides.base);
  const before = await repo.tip(BRANCH);
  await world.settle(change, first, () => 'approve');
  const [followUp, ...others] = await world.followUps(first);
  if (followUp === undefined) throw new Error('there is no follow-up');
  expect(others).toEqual([]);
  return { world, repo, first, followUp, isPushed: (await repo.tip(BRANCH)) !== before };
}

it('pushes a clean merge without asking a model or a reviewer, and says so', async () => {
  const { world, followUp, isPushed } = await merged({ base: [{ path: 'a', line: 9, text: 'theirs' }] });
  await using _ = world;
  expect(isPushed).toBe(true);
  expect(followUp.pipeline.implementation).toMatchObject({ made_by: [], review: null, outside_plan: [] });
  expect(followUp.pipeline.implementation?.tests?.verdict).toBe('green');
  expect(followUp.result).toMatchObject({ files_changed: 0, additions: 0, deletions: 0 });
  expect(followUp.plan?.summary).toMatch(/^Merge `main` \([0-9a-f]{12}\) into `sluice\/7-sum`\.$/);
});

it('does not push a merge with which a test fails that passes at the new base', async () => {
  const { world, followUp, isPushed } = await merged({
    branch: [{ path: 'flag', line: null, text: 'off\n' }],
    base: [{ path: 'a', line: 9, text: 'theirs' }],
  });
  await using _ = world;
  expect(isPushed).toBe(false);
  expect(followUp.error).toMatchObject({ stage: 'test', detail: expect.stringContaining('flag') });
});

it('does not hold against a merge what fails at the new base', async () => {
  const base = [
    { path: 'flag', line: null, text: 'off\n' },
    { path: 'a', line: 9, text: 'theirs' },
  ];
  const { world, followUp, isPushed } = await merged({ base });
  await using _ = world;
  expect(isPushed).toBe(true);
  expect(followUp.pipeline.implementation?.tests?.verdict).toBe('red_as_before');
});

it('leaves a binary file in conflict to people', async () => {
  const { world, followUp, isPushed } = await merged({
    branch: [{ path: 'logo', line: null, text: 'a\0c\n' }],
    base: [{ path: 'logo', line: null, text: 'a\0d\n' }],
  });
  await using _ = world;
  expect(isPushed).toBe(false);
  expect(followUp.error?.detail).toMatch(
    /has conflicts in logo \(binary\)\. No agent can settle that: merge it by hand/,
  );
});

it('says of a conflict without a model that it needs one', async () => {
  const { world, followUp, isPushed } = await merged(
    { base: [{ path: 'a', line: 5, text: 'theirs' }] },
    { hasModel: false },
  );
  await using _ = world;
  expect(isPushed).toBe(false);
  expect(followUp.error?.detail).toMatch(/conflicts in a\. Settling that needs a model, and none is configured/);
});

it('does not publish a conflict that the coder left in a file', async () => {
  const { world, followUp, isPushed } = await merged(
    { base: [{ path: 'a', line: 5, text: 'theirs' }] },
    { settles: false },
  );
  await using _ = world;
  expect(isPushed).toBe(false);
  expect(followUp.error).toMatchObject({ stage: 'implement' });
  expect(followUp.error?.detail).toMatch(/The coder left the lines of a conflict in a: /);
});

it('opens a gate for files in conflict that no person has approved, and names them', async () => {
  const { world, followUp, isPushed } = await merged({
    branch: [{ path: 'c', line: 1, text: 'person' }],
    base: [{ path: 'c', line: 1, text: 'theirs' }],
  });
  await using _ = world;
  expect(isPushed).toBe(true);
  const events = await world.issues.events(followUp.id, { after: 0, limit: 500 });
  const decided = events.find(({ type }) => type === 'review.decided');
  expect(decided?.data).not.toHaveProperty('inherited_from');
  expect(followUp.result?.files_changed).toBe(1);
  expect(followUp.pipeline.implementation?.review?.decision).toBe('approve');
});

it('ends without a push where the base is part of the branch by then', async () => {
  const { world, repo, first } = await merged({ base: [{ path: 'a', line: 9, text: 'theirs' }] });
  await using _ = world;
  const tip = await repo.tip(BRANCH);
  const cause = {
    kind: 'base',
    head_commit: 'c0ffee',
    base_branch: 'main',
    base_commit: await repo.tip('main'),
  } as const;
  const late = { first, branch: BRANCH, cause, key: 'late', title: 'Merge main', body: '', url: 'https://host.test/9' };
  await createCausedFollowUp({ issues: world.issues, ids: { next: () => newId() } }, { ...late, queue: true });
  const made = async (): Promise<Issue | null> => world.codehostIndex.followUpOf(first.repoId, 'late');
  await until('it has ended', async () => isTerminal((await made())?.status ?? 'pending'));
  expect(await made()).toMatchObject({
    error: null,
    result: { branch: null, answer: expect.stringContaining('nothing is left to merge') },
  });
  expect(await repo.tip(BRANCH)).toBe(tip);
});
