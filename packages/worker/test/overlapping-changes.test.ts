import type { Authorized } from '@sluice/core/access';
import type { IssueId } from '@sluice/core/id';
import { createIssue } from '@sluice/core/issue';
import type { Repo } from '@sluice/core/repo';
import { byUser, newId } from '@sluice/testing';
import { expect, it } from 'vitest';
import { openWorld } from './world.ts';

it('names at the plan gate the open pull requests that change files of the plan, until they are merged', async () => {
  await using world = await openWorld();
  await world.startWorker();
  const first = await world.newIssue();
  await world.untilStatus(first.id, 'awaiting_approval');
  await world.decide(first.id, { action: 'approve' });
  await world.untilStatus(first.id, 'completed');
  const pull = { number: 12, url: 'https://host.test/acme/sum/pull/12', state: 'draft' } as const;
  expect(await world.codehostIndex.noteChangeRequest(first.id, pull)).toBe(true);
  const repo = (await world.repos.get(first.repoId)) as Authorized<Repo, 'contribute'>;
  const reasonsOfAnother = async () => {
    const draft = { title: 'Sum twice', body: '' };
    const ids = { next: () => newId() };
    const { id } = await createIssue({ issues: world.issues, ids }, repo, { draft, by: byUser(repo.userId) });
    const { gate } = await world.untilStatus(id as IssueId, 'awaiting_approval');
    await world.decide(id, { action: 'reject' });
    return gate?.reasons ?? [];
  };
  const overlap = 'Overlaps pull request #12 (open): src/sum.js.';
  expect(await reasonsOfAnother()).toContain(overlap);
  await world.codehostIndex.setChangeRequestState(first.id, 'merged');
  expect(await reasonsOfAnother()).not.toContain(overlap);
});
