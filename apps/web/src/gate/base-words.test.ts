import { expect, it } from 'vitest';
import { baseWords, replanGuidance } from './base-words.ts';

const base = { moved: false, files_changed: 0, planned_files: [], current_commit: 'c0ffee' };

it.each([
  ['up to date', base],
  ['not compared with the branch', { ...base, current_commit: null }],
  ['the branch has moved on: 3 files changed, none of them in the plan', { ...base, moved: true, files_changed: 3 }],
  [
    'the branch has moved on: 1 file changed, 1 of them in the plan',
    { ...base, moved: true, files_changed: 1, planned_files: ['src/a.ts'] },
  ],
])('says "%s"', (text, compared) => {
  expect(baseWords(compared)).toBe(text);
});

it('names the files to the planner, and not hundreds of them', () => {
  expect(replanGuidance('main', ['src/a.ts'])).toBe(
    'Make a new plan on the current main. It has changed since in: src/a.ts.',
  );
  const many = Array.from({ length: 25 }, (_, index) => `src/${index}.ts`);
  expect(replanGuidance('main', many)).toMatch(/src\/19\.ts, and 5 more\.$/);
});
