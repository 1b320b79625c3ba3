import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openConsole } from './open-console.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

it('reads the page, and each asset with what it was compressed to', async () => {
  const folder = folderWith({
    'index.html': '<!doctype html>',
    '.built': 'not served',
    'assets/main-1a2b3c.js': 'script',
    'assets/main-1a2b3c.js.br': 'brotli',
    'assets/main-1a2b3c.js.gz': 'gzip',
    'assets/text-4d5e6f.woff2': 'font',
  });
  expect(await openConsole(folder)).toEqual({
    html: '<!doctype html>',
    assets: new Map([
      ['/assets/main-1a2b3c.js', { body: Buffer.from('script'), br: Buffer.from('brotli'), gzip: Buffer.from('gzip') }],
      ['/assets/text-4d5e6f.woff2', { body: Buffer.from('font'), br: null, gzip: null }],
    ]),
  });
});

it('has none where it was not built', async () => {
  expect(await openConsole(folderWith({}))).toBeNull();
  expect(await openConsole(join(folderWith({}), 'absent'))).toBeNull();
});
