import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { enlargeThreadPool } from './thread-pool.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('has every way to start a service set the same number of threads, which the operator may change', () => {
  const [, threads] = /UV_THREADPOOL_SIZE \|\|= '(\d+)'/.exec(enlargeThreadPool) ?? [];
  const { scripts } = JSON.parse(read('package.json'));
  for (const name of ['start', 'demo', 'sluice'])
    expect(scripts[name]).toContain(`UV_THREADPOOL_SIZE=\${UV_THREADPOOL_SIZE:-${threads}} exec `);
  expect(read('Dockerfile')).toMatch(new RegExp(`ENV [^]*UV_THREADPOOL_SIZE=${threads} `));
  expect(read('docs/deployment.md')).toMatch(new RegExp(`^Environment=.* UV_THREADPOOL_SIZE=${threads}$`, 'm'));
});
