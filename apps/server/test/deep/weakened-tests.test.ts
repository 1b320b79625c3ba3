import type { IssueWire } from '@sluice/core/issue';
import { expect, it } from 'vitest';
import { byRole, call, finish, planAnswer } from '../model-answers.ts';
import { beginModelIssue } from '../model-issue.ts';
import { makeScratchRepo } from '../scratch-repo.ts';

// Usual way: packages/worker/test/publish-gate.test.ts

const failing = `test('ignores no value', () => {
  assert.equal(mean([1, 3]), 2);
});
`;
const repo = () =>
  makeScratchRepo({
    Makefile: 'test:\n\tnode --test\n',
    'src/mean.mjs': 'export const mean = (values) => values.reduce((a, b) => a + b, 0);\n',
    'test/mean.test.mjs': `import assert from 'node:assert';
import { test } from 'node:test';
import { mean } from '../src/mean.mjs';

test('is the value of one', () => {
  assert.equal(mean([4]), 4);
});

${failing}`,
  });

it('asks a person before it publishes a change that is green because its test is gone', async () => {
  const files = ['src/mean.mjs', 'test/mean.test.mjs'];
  const script = byRole({
    planner: ({ turn }) => (turn === 0 ? { calls: [call('read_file', { path: 'src/mean.mjs' })] } : planAnswer(files)),
    coder: ({ turn }) =>
      turn === 0
        ? {
            calls: [
              call('edit_file', { path: 'test/mean.test.mjs', old_text: failing, new_text: '' }),
              call('edit_file', { path: 'src/mean.mjs', old_text: 'a + b', new_text: '(a + b)' }),
            ],
          }
        : finish('The mean is right.'),
  });
  const issue = { title: 'The mean is wrong', body: 'Of 1 and 3 it is 4.' };
  await using it = await beginModelIssue({ script, repo: repo(), issue });
  const { person, id, models } = it;
  await it.approve();
  await person.events(
    id,
    (event) =>
      event.type === 'issue.status' &&
      event.data.from === 'running' &&
      event.data.to !== 'running' &&
      event.data.stage === 'publish',
  );
  const asked = await person.issue(id);
  expect(asked.error).toBeNull();
  const reason = '`test/mean.test.mjs`: The test is gone: "ignores no value".';
  expect(asked).toMatchObject({ status: 'awaiting_approval', gate: { kind: 'publish' } });
  expect(asked.gate?.reasons[0]).toBe(reason);
  expect(asked.gate?.reasons.join('\n')).toContain('With the changed tests as they were at the base');
  const seen = models
    .requests()
    .find(({ role }) => role === 'reviewer')
    ?.texts.join('\n');
  expect(seen).toContain(`<to_confirm>\n${reason}`);
  const decision = { action: 'approve', revision: 1, head_commit: asked.gate?.head_commit };
  expect((await person.call('POST', `/api/issues/${id}/approve`, decision)).status).toBe(200);
  const done: IssueWire = await person.reaches(id, 'completed');
  expect(done.result).toMatchObject({
    tests: { verdict: 'green' },
    findings: [
      { kind: 'test_deleted', path: 'test/mean.test.mjs', line: null, detail: 'The test is gone: "ignores no value".' },
    ],
  });
});
