import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampleIssue } from '../src/local/sample-repo.ts';
import { openLocalScene } from './local-scene.ts';

it('shows, instructs, approves, rejects and cancels issues that no process works on', async () => {
  using scene = await openLocalScene();
  const { terminal, repo, sluice, listed, runToGate } = scene;
  const id = await runToGate();
  const shown = await sluice('show', id);
  expect(shown.stdout).toContain(sampleIssue.title);
  expect(shown.stdout).toContain('Plan, revision 1');

  const withoutGuidance = await sluice('instruct', id);
  expect([withoutGuidance.code, withoutGuidance.stderr]).toEqual([2, expect.stringContaining('Pass the text')]);
  const instructed = await sluice('instruct', '--repo', repo, 'Keep the rounding.');
  expect(instructed.code, instructed.stderr).toBe(9);
  expect(instructed.stderr).toContain('Plan, revision 2');
  const stale = await sluice('approve', id, '--revision', '1');
  expect(stale.code, stale.stderr).toBe(5);
  const approved = await sluice('approve', id);
  expect(approved.code, approved.stderr).toBe(0);
  expect(approved.stdout).toMatch(/^Done\. /);
  expect(approved.stderr).toContain('Merge it with:');
  const log = await sluice('log', '--repo', repo);
  expect(log.stdout).toContain('a discount takes its percentage off the line');

  await runToGate();
  expect((await sluice('cancel', '--repo', repo, '--yes')).code).toBe(0);
  const rejected = await sluice('reject', await runToGate());
  expect(rejected.code, rejected.stderr).toBe(0);
  const nothing = await sluice('approve', '--repo', repo);
  expect([nothing.code, nothing.stderr]).toEqual([4, expect.stringMatching(/^sluice: No issue is in progress on /)]);
  const items = await listed();
  expect(items.map(({ status }) => status)).toEqual(['rejected', 'cancelled', 'completed']);
  expect(items.map(({ repo_url }) => repo_url)).toEqual([repo, repo, repo]);
  const damaged = join(terminal.home, '.local/share/sluice/run/damaged');
  mkdirSync(damaged);
  for (const name of ['account.json', 'sluice.db']) writeFileSync(join(damaged, name), 'x');
  const partial = await sluice('list');
  expect([partial.code, partial.stderr]).toEqual([1, expect.stringContaining(`${damaged} cannot be read`)]);
  expect(partial.stdout).toMatch(/^[0-9a-f]{8}\trejected\t[^\t]+\tinvoice\t/);
});
