import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isSoakRun } from '@sluice/testing';
import { expect, it } from 'vitest';

// Usual way: sim/test/mutants.test.ts

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** In a process of its own: a run may leave promises behind that never settle. */
function simulate(...options: string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...options], { encoding: 'utf8' });
  expect({ status, stderr, stdout }).toMatchObject({ status: 0 });
  return stdout;
}

it('keeps every promise of the service, whatever fails and whatever people do', () => {
  const seeds = isSoakRun ? ['--seeds', '10000'] : ['--seeds', '50', '--once', '--jobs', '1'];
  expect(simulate(...seeds)).toContain(' 0 violations');
});

it('takes the same steps when a seed is run again', () => {
  expect(simulate('--seeds', '10', '--from', '51', '--jobs', '1')).toContain(' 0 violations');
});
