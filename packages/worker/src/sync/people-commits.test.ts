import type { HostedCommit } from '@sluice/core/code-host';
import type { Issue } from '@sluice/core/issue';
import { NEW_PIPELINE } from '@sluice/core/pipeline';
import { expect, it } from 'vitest';
import { peopleCommits } from './sync-change-request.ts';

const commit = (name: string, parents = 1): HostedCommit => ({
  commit: name,
  parents: Array.from({ length: parents }, (_, nth) => `${name}-${nth}`),
  author: null,
  committer: null,
  committerEmail: null,
  committedAt: null,
});

it('counts neither the commits of issues nor merges', () => {
  const done = { result: { head_commit: 'a' }, pipeline: NEW_PIPELINE } as unknown as Issue;
  const publication = { head_commit: 'b', asked: [], confirmed: null, change_request: null };
  const publishing = { result: null, pipeline: { ...NEW_PIPELINE, publication } };
  const commits = [commit('a'), commit('b'), commit('person'), commit('update', 2), commit('other')];
  expect(peopleCommits(commits, [done, publishing])).toBe(2);
  expect(peopleCommits([], [done])).toBe(0);
});
