import { expect, it } from 'vitest';
import { atGate, beginModelIssue } from '../model-issue.ts';
import { commit, issue, makeRepo, script } from '../stale-approval-scene.ts';

// Usual way: apps/server/test/stale-approval.test.ts

it('approves a plan when the base has moved elsewhere only', async () => {
  const repo = makeRepo();
  const base = repo.git('rev-parse', 'HEAD');
  await using it = await beginModelIssue({ script, repo, issue });
  await atGate(it.person, it.id, 1);
  commit(repo, 'other.txt', 'moved on\n');
  await it.approve();
  const done = await it.person.reaches(it.id, 'completed');
  const branch = done.result?.branch ?? '';
  expect(repo.git('rev-parse', `${branch}~1`)).toBe(base);
  expect(repo.git('show', `${branch}:value.txt`)).toBe('fixed');
});
