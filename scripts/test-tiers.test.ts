import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { faultsOfTiers } from './test-tiers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.ts', '*.spec.ts'], {
  cwd: root,
  encoding: 'utf8',
});
const testFiles = tracked.split('\n').filter((path) => path !== '');

const usual = 'packages/db/test/copy.test.ts';
const faultsOf = (files: Readonly<Record<string, string>>) =>
  faultsOfTiers(Object.keys(files), (path) => files[path] ?? '');

describe('the files of the deep tier', () => {
  it('name files of the first tier that try the usual way', () => {
    const deep = testFiles.filter((path) => path.includes('/deep/'));
    expect(deep.length).toBeGreaterThan(20);
    expect(faultsOfTiers(testFiles, (path) => readFileSync(`${root}/${path}`, 'utf8'))).toEqual([]);
  });

  it.each([
    ['names none', 'it("copies", () => {});', 'names no usual way'],
    ['names one in the text of a fixture', `const file = \`\n// Usual way: ${usual}\n\`;`, 'names no usual way'],
    ['names a file that is gone', '// Usual way: packages/db/test/gone.test.ts', 'packages/db/test/gone.test.ts'],
    ['names another file of its tier', '// Usual way: packages/db/test/deep/other.test.ts', 'deep/other.test.ts'],
    ['names one that exists and one that does not', `// Usual way: ${usual}, packages/db/x.test.ts`, 'db/x.test.ts'],
  ])('fail the check when one %s', (_what, text, named) => {
    const files = { [usual]: '', 'packages/db/test/deep/other.test.ts': `// Usual way: ${usual}` };
    expect(faultsOf({ ...files, 'packages/db/test/deep/copy.test.ts': text })).toEqual([
      expect.stringContaining(named),
    ]);
  });

  it('may name several', () => {
    const other = 'apps/web/test/main-job.spec.ts';
    expect(
      faultsOf({ [usual]: '', [other]: '', 'apps/web/test/deep/x.spec.ts': `// Usual way: ${usual}, ${other}` }),
    ).toEqual([]);
  });
});
