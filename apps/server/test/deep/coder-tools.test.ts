import { expect, it } from 'vitest';
import { byRole, call, finish } from '../model-answers.ts';
import { beginModelIssue } from '../model-issue.ts';
import { makeBuggyRepo } from '../scratch-repo.ts';

// Usual way: packages/agents/src/tools/require-syntax.test.ts, packages/agents/src/tools/run-command.test.ts
// Usual way: packages/agents/src/tools/tools.test.ts, packages/worker/src/agent/without-host-paths.test.ts

const issue = { title: 'The value is broken', body: 'The check says so. Repair it.' };
const write = (content: string) =>
  call('write_file', { path: 'value.js', content, outside_plan_reason: 'The value moves there.' });

it('refuses broken syntax, ends what hangs, and shows no path of the host', async () => {
  const script = byRole({
    coder: ({ turn }) =>
      [
        { calls: [write('export const value = (;\n'), call('run_command', { command: 'git add -A' })] },
        { calls: [write('export const value = 1;\n'), call('run_command', { command: 'sleep 60', timeout_s: 1 })] },
        { calls: [call('edit_file', { path: 'value.txt', old_text: '1\tbroken', new_text: '1\tfixed' })] },
      ][turn] ?? finish('It is fixed.'),
  });
  await using it = await beginModelIssue({ script, repo: makeBuggyRepo(), issue });
  await it.approve();
  await it.person.reaches(it.id, 'completed');

  const [, afterFirst, afterSecond, afterThird] = it.models.requests().filter(({ role }) => role === 'coder');
  const [broken, added] = afterFirst?.results ?? [];
  expect(broken).toMatch(/^Nothing was written: value\.js would not parse \(line 1: .*\)\. The result would be:\n1\t/);
  expect(added).toContain("Unable to create '<repository>/index.lock': Read-only file system");
  expect(afterFirst?.results.join()).not.toContain(it.server.dataDir);
  const [written, stopped] = afterSecond?.results ?? [];
  expect(written).toBe('Wrote value.js (24 characters).');
  expect(stopped).toMatch(/^Stopped: it had not ended, after 1\.\d s\.\n\(no output\)\n\(That is the output so far\./);
  expect(afterThird?.results).toEqual(['Edited value.txt at line 1, the one place that fits but for line numbers.']);
});
