import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { serviceFolders } from './open-sandbox.ts';

test('returns the checkout and the working folder of a program in a checkout', () => {
  const checkout = resolve(import.meta.dirname, '../../../..');
  const working = process.cwd();
  for (const app of ['server', 'cli'])
    expect(serviceFolders(join(checkout, 'apps', app, 'src/main.ts'))).toEqual([checkout, working]);
});

test('names the folder of a built program that was started by a link', async () => {
  await using folder = await mkdtempDisposable('/tmp/sluice-service-folders-');
  mkdirSync(join(folder.path, 'opt'));
  writeFileSync(join(folder.path, 'opt/sluice.js'), '');
  symlinkSync('opt/sluice.js', join(folder.path, 'sluice'));
  expect(serviceFolders(join(folder.path, 'sluice'))[0]).toBe(join(folder.path, 'opt'));
});
