import { expect, it } from 'vitest';
import { createLineStore } from './line-store.ts';

function store(...texts: readonly (string | ['stdout' | 'stderr', string])[]) {
  const lines = createLineStore();
  for (const text of texts) {
    if (typeof text === 'string') lines.append('stdout', text);
    else lines.append(...text);
  }
  return lines;
}

const all = (lines: ReturnType<typeof createLineStore>) =>
  Array.from({ length: lines.count }, (_, at) => lines.line(at));

it('joins a line that comes in several pieces', () => {
  expect(all(store('a', 'b\nc', 'd\n', 'e'))).toEqual(['ab', 'cd', 'e']);
});

it('counts a line that is not finished, and no line after the last end', () => {
  expect([store('').count, store('').written]).toEqual([0, 0]);
  expect(store('a\n').count).toBe(1);
  expect(store('a\nb').count).toBe(2);
  expect(all(store('\n\n'))).toEqual(['', '']);
});

it('leaves out the carriage return of a line end', () => {
  expect(all(store('a\r\nb\r', '\nc'))).toEqual(['a', 'b', 'c']);
});

it('marks a line as an error when any of it was written to stderr', () => {
  const lines = store('out\n', ['stderr', 'err\n'], 'mixed ', ['stderr', 'line\n'], 'out\n');
  expect([0, 1, 2, 3].map(lines.isError)).toEqual([false, true, true, false]);
});

it('keeps a line of a megabyte whole, and what follows it', () => {
  const megabyte = 'x'.repeat(65_536);
  const lines = store('first\n', ...Array.from({ length: 16 }, () => megabyte), '\nlast\n');
  expect(lines.count).toBe(3);
  expect(lines.line(1)).toHaveLength(1_048_576);
  expect(lines.line(2)).toBe('last');
});

it('has an empty line where output was left out, and goes on with the true numbers', () => {
  const lines = store('a\nb');
  lines.skip({ characters: 400, lines: 100 });
  lines.append('stdout', 'c\nd\n');
  expect(all(lines)).toEqual(['a', 'b', '', 'c', 'd']);
  expect([1, 3, 4].map(lines.gaps.number)).toEqual([2, 102, 103]);
  expect(lines.gaps.at(2)).toEqual({ characters: 400, lines: 100 });
});

it('counts the lines that a command wrote, whether the gap begins and ends in a line or between two', () => {
  const output = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('');
  for (const [head, tail] of [
    [0, 300],
    [50, 300],
    [100, 300],
    [101, 299],
    [102, 103],
    [100, 104],
  ] as const) {
    const missing = output.slice(head, tail);
    const lines = store(output.slice(0, head));
    lines.skip({ characters: missing.length, lines: missing.split('\n').length - 1 });
    lines.append('stdout', output.slice(tail));
    const last = lines.count - 1;
    expect([lines.line(last), lines.gaps.number(last), lines.written], `${head} to ${tail}`).toEqual([
      'line 40',
      40,
      40,
    ]);
  }
});

it.each([1, 2, 3, 7, 65_535, 65_536, 200_000])(
  'gives back a text line by line, cut into pieces of %d characters',
  (size) => {
    const block = `\n\na\nbc\n${'x'.repeat(97)}\n${'y'.repeat(500)}\r\n\n`;
    const text = size < 100 ? block : `${block.repeat(400)}end`;
    const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
      text.slice(at * size, (at + 1) * size),
    );
    const lines = store(...pieces);
    const expected = text.split('\n').map((line) => line.replace(/\r$/, ''));
    if (expected.at(-1) === '') expected.pop();
    expect(all(lines)).toEqual(expected);
    expect([...lines.pieces()].map((piece) => piece.text).join('')).toBe(text);
  },
);
