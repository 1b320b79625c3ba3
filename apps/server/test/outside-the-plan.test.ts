import { expect, it } from 'vitest';
import { byRole, call, finish } from './model-answers.ts';
import { beginModelIssue } from './model-issue.ts';
import { makeBuggyRepo } from './scratch-repo.ts';

const issue = { title: 'The value is broken', body: 'The check says so. Mend it.' };
const reason = 'The check of the value has to know the new word.';
const write = (more: object) => call('write_file', { path: 'docs/words.md', content: '# Words\n', ...more });

interface Diff {
  readonly files: readonly { path: string; in_plan: boolean; reason: string | null }[];
}

it('lets the coder leave the plan only with a reason, which the reviewer and the person see', async () => {
  const repo = makeBuggyRepo();
  const script = byRole({
    coder: ({ turn }) =>
      [
        { calls: [write({}), write({ outside_plan_reason: '-' })] },
        { calls: [write({ outside_plan_reason: reason })] },
        { calls: [call('edit_file', { path: 'value.txt', old_text: 'broken', new_text: 'fixed' })] },
        // What a command writes comes without a reason.
        { calls: [call('run_command', { command: 'echo hm > silent.txt' })] },
      ][turn] ?? finish('It is fixed.'),
  });
  await using it = await beginModelIssue({ script, repo, issue });
  const { person, id, models } = it;
  await it.approve();
  const done = await person.reaches(id, 'completed');

  const coder = models.requests().filter(({ role }) => role === 'coder');
  expect(coder[1]?.results).toHaveLength(2);
  for (const answer of coder[1]?.results ?? []) expect(answer).toContain('docs/words.md is not in the approved plan');
  expect(coder[2]?.results).toEqual([expect.stringContaining('docs/words.md')]);
  expect(coder[2]?.results.join()).not.toContain('not in the approved plan');

  const files = (await person.call<Diff>('GET', `/api/issues/${id}/diff`)).body.files;
  expect(files.map(({ path, in_plan, reason }) => ({ path, in_plan, reason }))).toEqual([
    { path: 'docs/words.md', in_plan: false, reason },
    { path: 'silent.txt', in_plan: false, reason: null },
    { path: 'value.txt', in_plan: true, reason: null },
  ]);
  const asked =
    models
      .requests()
      .find(({ role }) => role === 'reviewer')
      ?.texts.join('\n') ?? '';
  expect(asked).toContain(`<outside_plan>\ndocs/words.md: ${reason}\n</outside_plan>`);
  expect(asked).toMatch(/<to_judge>.*silent\.txt.*<\/to_judge>/s);
  const words = `Changed outside the plan: docs/words.md (${reason}), silent.txt (no reason given).`;
  expect(done.result?.summary).toContain(words);
  const told = (await person.events(id)).flatMap((event) => (event.type === 'agent.message' ? [event.data.text] : []));
  expect(told).toContain(words);
});
