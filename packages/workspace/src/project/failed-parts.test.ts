import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { failedParts, joinedTests } from './failed-parts.ts';

it('runs all parts of a command though one fails, and tells which failed', () => {
  const parts = [
    { name: 'backend', command: '(cd . && echo one; exit 3)' },
    { name: 'npm', command: '(echo two)' },
    { name: 'web/app', command: '(echo three; false)' },
  ];
  const { status, stdout } = spawnSync('sh', ['-c', joinedTests(parts)], { encoding: 'utf8' });
  expect(stdout.split('\n').slice(0, -1)).toEqual([
    'one',
    'The tests of backend ended with exit code 3',
    'two',
    'three',
    'The tests of web/app ended with exit code 1',
  ]);
  expect(status).toBe(1);
  expect(failedParts(stdout.split('\n'))).toEqual(['backend', 'web/app']);
  expect(spawnSync('sh', ['-c', joinedTests(parts.slice(1, 2))]).status).toBe(0);
});

it('tells which workspaces of npm failed', () => {
  const lines = [
    'npm error code 1',
    'npm error workspace web@1.0.0',
    'npm ERR! workspace @shop/api@2.0.0-rc.1',
    'npm error path /w',
  ];
  expect(failedParts(lines)).toEqual(['@shop/api', 'web']);
});
