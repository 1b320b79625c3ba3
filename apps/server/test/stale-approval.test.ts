import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { byRole, call, planAnswer } from './model-answers.ts';
import { atGate, beginModelIssue } from './model-issue.ts';
import { makeScratchRepo, type ScratchRepo } from './scratch-repo.ts';

const issue = { title: 'The value is broken', body: 'The check says so. Mend it.' };

const makeRepo = () =>
  makeScratchRepo({
    'value.txt': 'broken\n',
    'other.txt': 'as it was\n',
    Makefile: 'test:\n\tsh ./check.sh\n',
    'check.sh': "grep -q fixed value.txt || { echo 'not ok 1 - value'; exit 1; }\necho 'ok 1 - value'\n",
  });

function commit(repo: ScratchRepo, file: string, text: string): string {
  writeFileSync(join(repo.path, file), text);
  repo.git('commit', '-q', '-a', '-m', `change ${file}`);
  return repo.git('rev-parse', 'HEAD');
}

const script = byRole({
  planner: ({ turn, texts }) =>
    turn === 0
      ? { calls: [call('read_file', { path: 'value.txt' })] }
      : planAnswer(['value.txt'], texts.join('\n').includes('<base_moved>') ? 'Anew, on what moved.' : 'Mend it.'),
});

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
