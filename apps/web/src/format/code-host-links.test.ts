import { expect, it } from 'vitest';
import { branchUrl, commitUrl, fileUrl, repoUrl } from './code-host-links.ts';

const hosted = { url: 'https://code.example/ada/invoice.git', provider: 'codehost' } as const;

it('leads to the file at the commit, whatever its path contains', () => {
  expect(fileUrl(hosted, { commit: 'c0ffee', path: 'src/a b#?.ts' })).toBe(
    'https://code.example/ada/invoice/blob/c0ffee/src/a%20b%23%3F.ts',
  );
});

it('leads to lines of a file', () => {
  const place = { commit: 'c0ffee', path: 'a.ts', lines: { start: 3, end: 9 } };
  expect(fileUrl(hosted, place)).toBe('https://code.example/ada/invoice/blob/c0ffee/a.ts#L3-L9');
});

it('leads to branches, commits and the repository', () => {
  expect(branchUrl(hosted, 'sluice/fix-1')).toBe('https://code.example/ada/invoice/tree/sluice/fix-1');
  expect(commitUrl(hosted, 'c0ffee')).toBe('https://code.example/ada/invoice/commit/c0ffee');
  expect(repoUrl({ ...hosted, url: 'https://code.example/ada/invoice/' })).toBe('https://code.example/ada/invoice');
});

it.each([
  { url: 'https://git.example/invoice.git', provider: 'git' },
  { url: '/srv/git/invoice', provider: 'git' },
  { url: 'javascript:alert(1)', provider: 'codehost' },
] as const)('leads nowhere for a repository without pages: $url', (repo) => {
  expect(fileUrl(repo, { commit: 'c0ffee', path: 'a.ts' })).toBeNull();
});
