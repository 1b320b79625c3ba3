import type { Usage } from '@sluice/core/pipeline';
import { expect, it } from 'vitest';
import { byRole, finish } from '../model-answers.ts';
import { beginModelIssue } from '../model-issue.ts';
import { issue, look, repair } from '../notes-and-budgets-scene.ts';
import { makeBuggyRepo } from '../scratch-repo.ts';

// Usual way: apps/server/test/notes-and-budgets.test.ts

interface Attempt {
  readonly stage: string;
  readonly round: number;
  readonly outcome: string;
  readonly usage: Usage | null;
}

const TURN = 1_000 + 50;

it('warns at 80 % of the tokens, stops at 100 %, and continues the round with a higher budget', async () => {
  const repo = makeBuggyRepo();
  const script = byRole({
    coder: ({ turn }) => [{ calls: [repair] }, { calls: [look] }, { calls: [look] }][turn] ?? finish('It is fixed.'),
  });
  // Triage takes one answer, the plan two: the coder's first is the fourth of five.
  await using it = await beginModelIssue({
    script,
    repo,
    issue,
    environment: { ISSUE_BUDGET_TOKENS: String(5 * TURN) },
  });
  const { person, id, models } = it;
  await it.approve();
  const failed = await person.reaches(id, 'failed');
  expect(failed.error).toMatchObject({ stage: 'implement', detail: expect.stringContaining('5,250 of 5,250 tokens') });
  expect(failed.usage).toMatchObject({ input_tokens: 5_000, output_tokens: 250 });
  expect(models.requests()).toHaveLength(5);
  const said = async () =>
    (await person.events(id)).flatMap((event) =>
      event.type === 'agent.message' && event.data.agent === 'service' && /budget/.test(event.data.text)
        ? [event.data.text]
        : [],
    );
  const warning = /^80 % of the issue's budget is used: 4,200 of 5,250 tokens\./;
  expect(await said()).toEqual([expect.stringMatching(warning)]);

  const diff = await person.call<{ diff: string }>('GET', `/api/issues/${id}/diff`);
  expect(diff.body.diff).toContain('-broken\n+fixed\n');
  expect(repo.git('branch', '--list', 'sluice/*')).toBe('');

  const retry = (budget?: object) => person.call('POST', `/api/issues/${id}/retry`, budget && { budget });
  const refused = { status: 409, body: { code: 'budget_too_low', used: { input_tokens: 5_000, output_tokens: 250 } } };
  expect(await retry()).toMatchObject(refused);
  expect(await retry({ tokens: 5 * TURN })).toMatchObject(refused);
  expect(models.requests()).toHaveLength(5);
  expect((await retry({ tokens: 100 * TURN })).status).toBe(200);
  const done = await person.reaches(id, 'completed');

  // Nothing was asked twice: the coder's third turn follows its second.
  expect(models.requests().map(({ role, turn }) => `${role} ${turn}`)).toEqual([
    'triager 0',
    'planner 0',
    'planner 1',
    'coder 0',
    'coder 1',
    'coder 2',
    'coder 3',
    'reviewer 0',
  ]);
  expect(done.usage).toMatchObject({ input_tokens: 8_000, output_tokens: 400 });
  expect(repo.git('show', `${done.result?.branch}:value.txt`)).toBe('fixed');
  expect(await said()).toHaveLength(1);
  // The coder's two runs share what their round took.
  const steps = await person.call<{ items: Attempt[] }>('GET', `/api/issues/${id}/steps`);
  const runs = steps.body.items.filter(({ stage }) => stage === 'implement');
  expect(runs.map(({ round, outcome, usage }) => [round, outcome, usage?.input_tokens, usage?.output_tokens])).toEqual([
    [1, 'failed', 2_000, 100],
    [1, 'completed', 2_000, 100],
  ]);
});
