import { expect, it } from 'vitest';
import { outputExcerpt } from './output-excerpt.ts';

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);

it('keeps a short output whole, without its empty lines', () => {
  expect(outputExcerpt('a\n\n\nb  \n\n')).toBe('a\nb');
  expect(outputExcerpt(numbered(21).join('\n'))).toBe(numbered(21).join('\n'));
  expect(outputExcerpt('')).toBe('');
});

it('keeps the first and the last lines of a long output, and counts the others', () => {
  const lines = outputExcerpt(`${numbered(100).join('\n')}\n`).split('\n');
  expect(lines.slice(0, 8)).toEqual(numbered(8));
  expect(lines[8]).toBe('[80 lines left out: the log of the issue has them]');
  expect(lines.slice(9)).toEqual(numbered(100).slice(-12));
});

it('shortens long lines to text that every store can keep', () => {
  const excerpt = outputExcerpt(`${'x'.repeat(239)}😀${'y'.repeat(10_000)}`);
  expect(excerpt.length).toBeLessThan(250);
  expect(excerpt.isWellFormed()).toBe(true);
});
