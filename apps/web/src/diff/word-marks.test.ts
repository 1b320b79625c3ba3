import { expect, it } from 'vitest';
import { type Span, wordMarks } from './word-marks.ts';

const shown = (text: string, spans: readonly Span[]) =>
  [...spans]
    .reverse()
    .reduce((rest, { start, end }) => `${rest.slice(0, start)}[${rest.slice(start, end)}]${rest.slice(end)}`, text);
const marked = (before: string, after: string) => {
  const marks = wordMarks(before, after);
  return [shown(before, marks.old), shown(after, marks.new)];
};

it.each([
  ['return a - b;', 'return a + b;', 'return a [-] b;', 'return a [+] b;'],
  ['const total = sum(a);', 'const total = sum(a, b);', 'const total = sum(a);', 'const total = sum(a[, b]);'],
  [
    'if (size > limit) fail();',
    'if (length > limit) fail();',
    'if ([size] > limit) fail();',
    'if ([length] > limit) fail();',
  ],
  ['  x = 1', '    x = 1', '[  ]x = 1', '[    ]x = 1'],
  ['Grüße, Welt', 'Grüße, Wald', 'Grüße, [Welt]', 'Grüße, [Wald]'],
])('marks what differs between %j and %j', (before, after, ...shownAs) => {
  expect(marked(before, after)).toEqual(shownAs);
});

it('marks neighbouring words and the space between them as one', () => {
  expect(marked('call(one two three, kept)', 'call(four five six, kept)')).toEqual([
    'call([one two three], kept)',
    'call([four five six], kept)',
  ]);
});

it('marks nothing where two lines have little in common, or are very long', () => {
  expect(wordMarks('import { a } from "./b";', 'throw new Error(message)')).toEqual({ old: [], new: [] });
  const long = 'word '.repeat(300);
  expect(wordMarks(long, `${long}more`)).toEqual({ old: [], new: [] });
});

it('marks nothing in equal lines', () => {
  expect(wordMarks('same', 'same')).toEqual({ old: [], new: [] });
});
