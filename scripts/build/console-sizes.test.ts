import { describe, expect, it } from 'vitest';
import { consoleSizes, printConsoleSizes, requireBudget } from './console-sizes.ts';

const manifest = {
  'index.html': { file: 'assets/index.js', isEntry: true, imports: ['_react.js'], dynamicImports: [] },
  '_react.js': { file: 'assets/react.js' },
  '_time.js': { file: 'assets/time.js' },
  '_markdown.js': { file: 'assets/markdown.js', imports: ['_react.js'] },
  'src/pages/inbox-page.tsx': { file: 'assets/inbox.js', isDynamicEntry: true, imports: ['index.html', '_time.js'] },
  'src/pages/issue-page.tsx': {
    file: 'assets/issue.js',
    isDynamicEntry: true,
    imports: ['index.html', '_time.js', '_markdown.js'],
  },
  'src/issue/diff-view.tsx': { file: 'assets/diff.js', isDynamicEntry: true },
  'src/base.css': { file: 'assets/base.css' },
};
const kilobytes = { index: 20, react: 60, time: 1, markdown: 50, inbox: 10, issue: 30, diff: 500, base: 900 };
const bytesOf = (file: string) => kilobytes[file.slice('assets/'.length, -'.js'.length) as 'index'] * 1_000;

describe('the sizes of the console', () => {
  it('count the inbox with all that a cold load takes, and another page without what is loaded already', () => {
    expect(consoleSizes(manifest, bytesOf)).toEqual([
      { page: 'inbox', bytes: 91_000, limit: 180_000 },
      { page: 'issue', bytes: 80_000, limit: 120_000 },
    ]);
  });

  it('are printed for people', () => {
    const lines = printConsoleSizes(consoleSizes(manifest, bytesOf)).split('\n');
    expect(lines.slice(1)).toEqual([
      'inbox              91.0 KB  of 180.0 KB',
      'issue             +80.0 KB  of 120.0 KB',
      '',
    ]);
  });

  it('fail the build with figures when a page takes more than it may', () => {
    const heavy = (file: string) => (file === 'assets/issue.js' ? 70_001 : bytesOf(file));
    expect(() => requireBudget(consoleSizes(manifest, heavy))).toThrow(/larger than it may be: issue 120\.0 KB of/);
    const allowed = (file: string) => (file === 'assets/issue.js' ? 70_000 : bytesOf(file));
    expect(() => requireBudget(consoleSizes(manifest, allowed))).not.toThrow();
    expect(() => requireBudget(consoleSizes(manifest, (file) => bytesOf(file) * 2))).toThrow(/inbox 182\.0 KB of 180/);
  });

  it('are not known without the module of the inbox', () => {
    const { 'src/pages/inbox-page.tsx': _, ...rest } = manifest;
    expect(() => consoleSizes(rest, bytesOf)).toThrow('loads no src/pages/inbox-page.tsx on demand');
  });
});
