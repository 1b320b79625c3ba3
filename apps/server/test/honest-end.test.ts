import { expect, it } from 'vitest';
import { byRole, call } from './model-answers.ts';
import { beginModelIssue } from './model-issue.ts';
import { fixingIssue, makeBuggyRepo } from './scratch-repo.ts';

it('publishes nothing of a coder that says in words that it did not do the work, and quotes it', async () => {
  const words = 'I changed value.txt, but **I was not able to complete the plan**: the check needs a decision.';
  const script = byRole({
    coder: ({ turn }) =>
      turn === 0
        ? { calls: [call('edit_file', { path: 'value.txt', old_text: 'broken', new_text: 'fixed' })] }
        : { text: words },
  });
  const repo = makeBuggyRepo();
  const issue = { title: fixingIssue.title, body: 'The check says that the value is broken.' };
  await using it = await beginModelIssue({ script, repo, issue });
  await it.approve();
  await it.person.reaches(it.id, 'failed');
  const ended = await it.person.issue(it.id);
  expect(ended.error).toEqual({ stage: 'implement', detail: `The coder could not carry out the plan: ${words}` });
  expect(ended.result).toBeNull();
  expect(it.models.requests().filter(({ role }) => role === 'coder')).toHaveLength(3);
});
