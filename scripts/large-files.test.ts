import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { faultOfSize } from './large-files.ts';

const api = JSON.stringify({ paths: Array.from({ length: 9_000 }, (_, at) => `/things/${at}`) }, null, 1);

it.each([
  ['many lines', 'a\n'.repeat(2_001)],
  ['many bytes', 'a'.repeat(120_001)],
  ['an API description of others', api],
])('refuses a text file of %s', (_, text) => {
  expect(faultOfSize('packages/a/src/fixtures/api.json', Buffer.from(text))).toMatch(/^has \d+ lines and \d+ bytes/);
});

it.each([
  ['a text at both limits', 'docs/a.md', Buffer.from('a'.repeat(59).concat('\n').repeat(2_000))],
  ['the same description, compressed', 'packages/a/src/fixtures/api.json.br', brotliCompressSync(api)],
  ['a picture', 'docs/images/a.png', Buffer.concat([Buffer.from([0x89, 0x50, 0]), Buffer.from('a'.repeat(200_000))])],
  ['a file that is excused', 'pnpm-lock.yaml', Buffer.from(api)],
])('lets %s be tracked', (_, path, content) => {
  expect(faultOfSize(path, content)).toBeNull();
});
