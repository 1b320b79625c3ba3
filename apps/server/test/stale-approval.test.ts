import { expect, it } from 'vitest';
import { atGate, beginModelIssue } from './model-issue.ts';
import { commit, issue, makeRepo, script } from './stale-approval-scene.ts';

it('refuses to approve a plan when its files changed on the base, and plans again on the new base', async () => {
  const repo = makeRepo();
  await using it = await beginModelIssue({ script, repo, issue });
  const { person, id, models } = it;
  const before = await atGate(person, id, 1);
  const tip = commit(repo, 'value.txt', 'still broken\n');
  const asked = models.requests().length;

  const decide = (body: object) => person.call('POST', `/api/issues/${id}/approve`, body);
  const refused = await decide({ action: 'approve', revision: 1 });
  expect(refused).toMatchObject({ status: 409, body: { code: 'plan_stale', files: ['value.txt'] } });
  expect(await person.issue(id)).toEqual(before);
  expect(models.requests()).toHaveLength(asked);

  expect((await decide({ action: 'instruct', guidance: 'Plan it on the new base.', revision: 1 })).status).toBe(200);
  const again = await atGate(person, id, 2);
  expect(again.plan).toMatchObject({ revision: 2, summary: 'Anew, on what moved.' });
  expect(again.gate?.base_commit).toBe(tip);
  const replanned = models.requests().filter(({ role }) => role === 'planner');
  expect(replanned.at(-2)?.texts.join('\n')).toContain('<base_moved>\nvalue.txt\n</base_moved>');
  expect(replanned.at(-1)?.results.join('\n')).toContain('still broken');

  await it.approve(2);
  const done = await person.reaches(id, 'completed');
  const branch = done.result?.branch ?? '';
  expect(done.result?.base_commit).toBe(tip);
  expect(repo.git('rev-parse', `${branch}~1`)).toBe(tip);
  expect(repo.git('show', `${branch}:value.txt`)).toBe('still fixed');
});
