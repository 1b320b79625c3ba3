import { expect, it } from 'vitest';
import { renderFinding } from '../change/finding.ts';
import { guardedFiles } from '../publication/guarded-files.ts';
import { renderPaths } from '../workspace/counted-paths.ts';
import { visiblePath } from './visible-text.ts';

it.each([
  ['line\nbreak.bin', 'line[U+000A]break.bin'],
  ['tab\tand\rreturn', 'tab[U+0009]and[U+000D]return'],
  ['two  spaces ', 'two  spaces '],
  ['right\u202eto left', 'right[U+202E]to left'],
  ['grüße/ß.csv', 'grüße/ß.csv'],
])('names the file %j so that no other file has the same name', (path, shown) => {
  expect(visiblePath(path)).toBe(shown);
  expect(renderPaths({ first: [path], count: 1 })).toBe(`\`${shown}\``);
  expect(renderFinding({ kind: 'not_compared', path, line: 3, detail: 'See the\ndiff.' })).toBe(
    `\`${shown}:3\`: See the diff.`,
  );
});

it('names a guarded file in the same way', () => {
  const [found] = guardedFiles(['.github/workflows/a\nb.yml']);
  expect(found?.reason).toContain('`.github/workflows/a[U+000A]b.yml`');
});
