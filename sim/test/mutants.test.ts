import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const patches = readdirSync(fileURLToPath(new URL('../mutants', import.meta.url)));

it.each(patches)('can still plant the bug %s in the sources', (patch) => {
  const { status, stderr } = spawnSync('git', ['apply', '--check', `sim/mutants/${patch}`], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('has at least ten bugs to plant', () => {
  expect(patches.filter((name) => name.endsWith('.patch')).length).toBeGreaterThanOrEqual(10);
});
