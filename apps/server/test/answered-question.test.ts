import { expect, it } from 'vitest';
import { byRole, call } from './model-answers.ts';
import { beginModelIssue } from './model-issue.ts';
import { makeBuggyRepo } from './scratch-repo.ts';

const issue = { title: 'Where does the value come from?', body: 'I only want to know.' };
const answer = 'From `value.txt`, line 1.';

it('answers a question through the API without a request for triage, a gate or a branch', async () => {
  const repo = makeBuggyRepo();
  await using it = await beginModelIssue({
    provider: 'compatible',
    repo,
    issue,
    environment: { MODEL_TRIAGE: '' },
    script: byRole({
      planner: ({ turn }) => {
        if (turn === 0) return { calls: [call('read_file', { path: 'value.txt' })] };
        const plan = {
          summary: 'The value is read.',
          steps: [],
          acceptance_criteria: [],
          risks: [],
          test_strategy: '',
        };
        return {
          calls: [call('submit_plan', { ...plan, kind: 'question', risk: 'low', open_questions: [], answer })],
        };
      },
    }),
  });
  const { models, person, id } = it;
  const done = await person.reaches(id, 'completed');
  expect(done).toMatchObject({
    stage: 'plan',
    plan: null,
    gate: null,
    triage: { kind: 'question', risk: 'low', open_questions: [] },
    result: { branch: null, answer, files_changed: 0, change_request_url: null },
  });
  expect(models.requests().map(({ role }) => role)).toEqual(['planner', 'planner']);
  expect(repo.git('branch', '--list', 'sluice/*')).toBe('');
});
