import { expect, it } from 'vitest';
import { byRole, call, finish, planAnswer, roundOf } from '../model-answers.ts';
import { atGate, beginModelIssue } from '../model-issue.ts';
import { makeScratchRepo } from '../scratch-repo.ts';

// Usual way: packages/worker/test/red-base.test.ts

const OLD = 'test/old.test.js > an old failure';
const WAITS = 'test/waits.test.js > waits for a slow answer';

/** A test that always failed, and one that fails in the first run of each head. Both have nothing to do with the issue. */
const makeRepo = () =>
  makeScratchRepo({
    'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    '.gitignore': '.runs\n',
    'src/mean.js': 'export const mean = (all) => all.reduce((sum, one) => sum + one, 0) / (all.length + 1);\n',
    'test/mean.test.js': testFile('mean of zero', 'assert.equal(mean([0]), 0)'),
    'test/old.test.js': testFile('an old failure', 'assert.fail()'),
    'test/waits.test.js': `import assert from 'node:assert';
import { appendFileSync, readFileSync } from 'node:fs';
import test from 'node:test';

test('waits for a slow answer', () => {
  appendFileSync('.runs', '.');
  assert.ok(![2, 7].includes(readFileSync('.runs', 'utf8').length));
});
`,
  });

function testFile(name: string, check: string): string {
  return `import assert from 'node:assert';
import test from 'node:test';
import { mean } from '../src/mean.js';

test('${name}', () => ${check});
`;
}

const addTest = (check: string) =>
  call('write_file', {
    path: 'test/mean.test.js',
    text: `${testFile('mean of zero', 'assert.equal(mean([0]), 0)')}test('mean of one', () => ${check});\n`,
  });

it('judges a change on a red base with a flaky test by what the change itself does', async () => {
  await using it = await beginModelIssue({
    repo: makeRepo(),
    issue: { title: 'The mean is too small', body: 'The mean of one number must be that number.' },
    script: byRole({
      planner: () => planAnswer(['src/mean.js', 'test/mean.test.js']),
      coder: (request) => {
        const round = roundOf(request);
        const edit = call('edit_file', { path: 'src/mean.js', old_text: '(all.length + 1)', new_text: 'all.length' });
        // The test of the first round passes without the fix, too.
        const turns =
          round === 1
            ? [{ calls: [edit, addTest('assert.ok(mean([2]) > 0)')] }, finish('The mean is right.')]
            : [{ calls: [addTest('assert.equal(mean([2]), 2)')] }, finish('The test proves it now.')];
        return turns[request.turn] ?? {};
      },
    }),
  });
  const { person, id } = it;
  const { gate } = await atGate(person, id, 1);
  expect(gate?.reasons.join('\n')).toContain(`before any change: ${OLD}. A change passes if no other test fails`);
  await it.approve();

  let gates = 0;
  await person.events(id, (event) => {
    if (event.type === 'issue.status' && event.data.to === 'awaiting_approval') gates += 1;
    return gates === 2;
  });
  const waiting = await person.issue(id);
  expect(waiting.gate).toMatchObject({ kind: 'publish' });
  expect(waiting.gate?.reasons.join('\n')).toContain(`${WAITS} (failed in 1 of 2 runs)`);
  const head_commit = waiting.gate?.head_commit;
  await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve', head_commit });
  const done = await person.reaches(id, 'completed');
  expect(done.result?.tests).toMatchObject({
    verdict: 'red_as_before',
    new_failures: [],
    failed_before: [OLD],
    flaky: [{ name: WAITS, failed: 1, runs: 2 }],
    counts: { passed: 3, failed: 1, skipped: 0 },
    base_counts: { passed: 2, failed: 1, skipped: 0 },
    base_tests: { exit_code: 1, failed: [] },
    reproduction: { outcome: 'reproduced', detail: 'Fail without the change: test/mean.test.js > mean of one.' },
  });
  const sentBack = (await person.events(id, () => false)).flatMap((event) =>
    event.type === 'stage.completed' && event.data.stage === 'test' ? [event.data.detail] : [],
  );
  expect(sentBack).toEqual([
    'no test fails without the change: sent back to the coder (1 of 3)',
    'red_as_before, with 1 flaky',
  ]);
});
