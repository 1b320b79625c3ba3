import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../../src/local/sample-repo.ts';
import { openTerminal } from '../terminal.ts';

// Usual way: apps/cli/test/local-issues.test.ts

/** Collects what the command says, and waits for a part of it. */
function follow(child: ChildProcess) {
  let said = '';
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const stdout = text(child.stdout as never);
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  return {
    ended,
    stdout,
    said: () => said,
    until: async (part: string) => await expect.poll(() => said).toContain(part),
  };
}

it('takes the second issue of a repository after the first, also when the process of the first is killed', async () => {
  using terminal = await openTerminal();
  const repo = await makeSampleRepo(terminal.home);
  writeFileSync(join(terminal.home, 'bug.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
  const run = ['run', '--repo', repo, '--issue', 'bug.md', '--yes'];
  // The tests fail on the base, and on the branch they run until the issue is cancelled.
  const first = await terminal.start([...run, '--test', 'node --test && sleep 600']);
  const { until: untilFirst } = follow(first);
  await untilFirst('▸ test');

  const waiting = await terminal.start([...run, '--json', '--test', 'node --test']);
  const second = follow(waiting);
  const impatient = await terminal.start(run);
  const third = follow(impatient);
  await Promise.all([second.until('Waiting for Issue'), third.until('Waiting for Issue')]);
  impatient.kill('SIGINT');
  expect(await third.ended).toBe(130);
  expect(third.said()).toContain('Interrupted. No issue was created.');

  first.kill('SIGKILL');
  await second.until('The other run has ended. This one goes on with its work.');
  const cancelled = await terminal.sluice(['cancel', '--repo', repo, '--yes']);
  expect(cancelled.code, cancelled.stderr).toBe(0);
  expect(await second.ended, second.said()).toBe(0);
  expect(second.said()).not.toContain('Another Sluice process');
  expect(JSON.parse(await second.stdout)).toMatchObject({ status: 'completed' });
});
