import { describe, expect, it } from 'vitest';
import type { PlanDraft } from './plan.ts';
import { planPaths } from './plan-paths.ts';

const FILES = [
  'README.md',
  'package.json',
  'src/mean.js',
  'src/Total.ts',
  'src/index.ts',
  'src/parts/index.ts',
  'src/pages/[id].tsx',
  'test/mean.test.js',
];

function plan(...files: string[]): PlanDraft {
  return {
    summary: '',
    steps: [{ title: '', detail: '', files }],
    acceptance_criteria: [],
    risks: [],
    test_strategy: '',
  };
}

describe('the paths of a plan', () => {
  it.each(['src/mean.js', './src/mean.js', 'src/pages/[id].tsx', ' README.md '])('are files that exist: %s', (path) => {
    expect(planPaths(plan(path), FILES)).toEqual({ problems: [], created: [] });
  });

  it.each([
    'src/median.js', // a new file in a folder that exists
    'CHANGELOG.md',
    'src/stats/median.js', // in a new folder
    'docs/index.ts', // a usual name, of which there are several
    'Dockerfile',
    '.gitignore',
    'src/mean.css', // beside a script of the same name
    'src/pages/[slug].tsx',
    'src/mean.d.ts',
    'src/means.js', // a plural
    'src/mean2.js',
  ])('are files that the plan creates: %s', (path) => {
    expect(planPaths(plan(path, path), FILES)).toEqual({ problems: [], created: [path] });
  });

  it('may be new places of files that the plan names too', () => {
    const files = ['src/mean.js', 'lib/mean.js', 'src/Total.ts', 'src/total.ts'];
    expect(planPaths(plan(...files), FILES)).toEqual({ problems: [], created: ['lib/mean.js', 'src/total.ts'] });
  });

  it.each([
    ['/etc/passwd', '`/etc/passwd` is absolute; name files relative to the root.'],
    ['../other/a.js', '`../other/a.js` leads out of the repository.'],
    ['src/../../a.js', '`src/../../a.js` leads out of the repository.'],
    ['src', '`src` is a folder; name the files in it.'],
    ['new/', '`new/` is a folder; name the files in it.'],
    ['.', '`.` is a folder; name the files in it.'],
    ['src/**/*.js', '`src/**/*.js` is a pattern; name each file.'],
    ['src/{a,b}.js', '`src/{a,b}.js` is a pattern; name each file.'],
    ['lib/mean.js', '`lib/mean.js` does not exist, but `src/mean.js` does.'],
    ['src/mean.ts', '`src/mean.ts` does not exist, but `src/mean.js` does.'],
    ['src/total.ts', '`src/total.ts` does not exist, but `src/Total.ts` does.'],
    ['src/maen.js', '`src/maen.js` does not exist, but `src/mean.js` does.'],
    ['src/meam.js', '`src/meam.js` does not exist, but `src/mean.js` does.'],
    ['src/mea.js', '`src/mea.js` does not exist, but `src/mean.js` does.'],
    ['mean.js', '`mean.js` does not exist, but `src/mean.js` does.'],
    ['src\\mean.js', '`src\\mean.js` has a backslash; separate folders by /.'],
    ['.git/config', '`.git/config` belongs to git, and not to the repository.'],
    ['TBD', '`TBD` is not a path.'],
  ])('are doubted: %s', (path, problem) => {
    expect(planPaths(plan(path), FILES)).toEqual({ problems: [problem], created: [] });
  });

  it('are missed where no step has any', () => {
    expect(planPaths(plan(), FILES).problems).toEqual(['No step names a file, so the coder may not write any.']);
    expect(planPaths({ ...plan(), steps: [] }, FILES).problems).toEqual([]);
  });

  it('are at most a hundred', () => {
    const many = Array.from({ length: 101 }, (_, at) => `src/${at}.js`);
    expect(planPaths(plan(...many), FILES).problems).toEqual([
      'The plan names 101 files; name at most 100, or split the issue.',
    ]);
  });

  it('are doubted one by one up to a limit, and then counted', () => {
    const { problems } = planPaths(plan(...Array.from({ length: 25 }, (_, at) => `/${at}`)), FILES);
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe('And 5 more.');
  });
});
