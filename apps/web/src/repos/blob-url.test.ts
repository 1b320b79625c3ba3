import type { Repo } from '@sluice/client';
import { expect, it } from 'vitest';
import { blobUrl } from './blob-url.ts';

const index = { commit: 'c0ffee', files: 1, chunks: 1, updated_at: '2026-11-01T00:00:00.000Z' };
const hosted = { provider: 'codehost', url: 'https://example.com/acme/shop', index } as Repo;
const lines = { path: 'src/a b#?.ts', start_line: 3, end_line: 9 };

it('leads to the lines at the indexed commit, however the file is called', () => {
  expect(blobUrl(hosted, lines)).toBe('https://example.com/acme/shop/blob/c0ffee/src/a%20b%23%3F.ts#L3-L9');
});

it('leads nowhere for a repository of no code host, one without an index, and an address that is no web page', () => {
  expect(blobUrl({ ...hosted, provider: 'git' }, lines)).toBeNull();
  expect(blobUrl({ ...hosted, index: null }, lines)).toBeNull();
  expect(blobUrl({ ...hosted, url: 'javascript:alert(1)' }, lines)).toBeNull();
});
