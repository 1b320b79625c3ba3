import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const script = fileURLToPath(new URL('./soak.ts', import.meta.url));
const source = readFileSync(script, 'utf8');

const { status, stderr } = spawnSync(process.execPath, [script, 'nothing'], { cwd: root, encoding: 'utf8' });
const parts = [...stderr.matchAll(/^ {2}([\w-]+) {2,}/gm)].map(([, name]) => name);

it('lists its parts when it is given an unknown one', () => {
  expect([status, stderr.split('\n')[0]]).toEqual([2, 'There is no part "nothing". Choose one of:']);
  expect(parts.length).toBeGreaterThan(8);
});

it('runs files that exist', () => {
  const folders = [...source.matchAll(/'((?:packages|apps)\/[^']+)'/g)].map(([, path = '']) => path);
  const tests = [...source.matchAll(/`\$\{serverTests\}\/([\w./-]+)`/g)].map(([, name]) => `apps/server/test/${name}`);
  expect([...folders, ...tests].filter((path) => !existsSync(`${root}/${path}`))).toEqual([]);
  expect(tests.length).toBeGreaterThan(5);
});

it('names every file in a folder for the soak', () => {
  const list = spawnSync('git', ['ls-files', '**/soak/*.test.ts'], { cwd: root, encoding: 'utf8' });
  const files = list.stdout.split('\n').filter((path) => path !== '');
  expect(files.length).toBeGreaterThan(20);
  const named = (path: string) => source.includes(`'${path}'`) || source.includes(`${basename(path, '.test.ts')}'`);
  const byTemplate = (path: string) => source.includes(`/soak/${basename(path)}\``);
  expect(files.filter((path) => !named(path) && !byTemplate(path))).toEqual([]);
});

it('runs whole in the nightly workflow', () => {
  const workflow = readFileSync(`${root}/.github/workflows/soak.yml`, 'utf8');
  expect([...workflow.matchAll(/^ {10}- ([\w-]+)$/gm)].map(([, name]) => name)).toEqual(parts);
});
