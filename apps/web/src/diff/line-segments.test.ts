import { expect, it } from 'vitest';
import { lineSegments } from './line-segments.ts';

it('cuts a line where a token, a mark or a match begins or ends', () => {
  const segments = lineSegments('let total = 1', {
    tokens: Int32Array.of(0, 3, 0, 12, 13, 2),
    marks: [{ start: 4, end: 9 }],
    matches: [{ start: 7, end: 13 }],
  });
  expect(segments).toEqual([
    { text: 'let', token: 0, isMarked: false, match: null },
    { text: ' ', token: null, isMarked: false, match: null },
    { text: 'tot', token: null, isMarked: true, match: null },
    { text: 'al', token: null, isMarked: true, match: 0 },
    { text: ' = ', token: null, isMarked: false, match: 0 },
    { text: '1', token: 2, isMarked: false, match: 0 },
  ]);
});

it('keeps the whole text, also where spans reach beyond a line that was cut', () => {
  const segments = lineSegments('abc', { tokens: Int32Array.of(1, 9, 0), matches: [{ start: 8, end: 9 }] });
  expect(segments.map(({ text }) => text)).toEqual(['a', 'bc']);
  expect(lineSegments('', {})).toEqual([]);
});
