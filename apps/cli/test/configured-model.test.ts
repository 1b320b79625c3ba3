import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeSampleRepo } from '../src/local/sample-repo.ts';
import { openTerminal } from './terminal.ts';

it('says before anything is created that an issue needs a model, and how to set one up', async () => {
  using terminal = await openTerminal();
  const repo = await makeSampleRepo(terminal.home);
  writeFileSync(join(terminal.home, 'idea.md'), 'Make the invoice prettier\n');
  const run = (...more: string[]) => terminal.sluice(['run', '--repo', repo, '--yes', ...more], { cwd: repo });
  const { code, stdout, stderr } = await run('--issue', '../idea.md');
  expect({ code, stdout }, stderr).toEqual({ code: 10, stdout: '' });
  expect(stderr).toMatch(/^sluice: This issue needs a model, and none is configured\./);
  for (const way of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'MODEL_BASE_URL', 'diff block'])
    expect(stderr).toContain(way);
  expect(stderr.match(/needs a model/g)).toHaveLength(1);
  expect(existsSync(join(terminal.home, '.local'))).toBe(false);
  const json = await run('--issue', '../idea.md', '--json');
  expect(JSON.parse(json.stderr)).toMatchObject({ exit_code: 10 });
});
