import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installPacked } from '../packed-installation.ts';

// Usual way: apps/cli/test/packed-command.test.ts, apps/cli/test/run-command.test.ts

it('takes the sample issue to a tested branch with only the installed package', async () => {
  using packed = await installPacked();
  const { prefix, built } = packed;
  const files = readdirSync(prefix, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    name.endsWith('.js'),
  );
  expect(files.length).toBeGreaterThan(5);
  for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain(built);
  const { stdout } = await packed.sluice('demo', '--yes', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', result: { tests: { verdict: 'green' } } });
});
