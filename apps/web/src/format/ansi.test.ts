import { expect, it } from 'vitest';
import { parseAnsi, stripAnsi } from './ansi.ts';

const plain = (text: string) => ({ text, style: [] });

it('turns colours and styles into names', () => {
  expect(parseAnsi('\u001b[1;31mFAIL\u001b[0m test \u001b[42mok\u001b[49m.')).toEqual([
    { text: 'FAIL', style: ['red', 'bold'] },
    plain(' test '),
    { text: 'ok', style: ['on-green'] },
    plain('.'),
  ]);
});

it('ends a style by its own code', () => {
  expect(parseAnsi('\u001b[1;4ma\u001b[22mb\u001b[24mc')).toEqual([
    { text: 'a', style: ['bold', 'underline'] },
    { text: 'b', style: ['underline'] },
    plain('c'),
  ]);
});

it('reads bright and indexed colours, and passes over true colour', () => {
  expect(parseAnsi('\u001b[92ma\u001b[38;5;4mb\u001b[38;5;200mc\u001b[38;2;1;31;4md')).toEqual([
    { text: 'a', style: ['green'] },
    { text: 'b', style: ['blue'] },
    plain('c'),
    plain('d'),
  ]);
});

it('leaves out what moves the cursor, sets titles or makes links', () => {
  expect(
    parseAnsi('a\u001b[2Kb\u001b[10;5Hc\u001b]0;title\u0007d\u001b]8;;http://evil\u001b\\e\u001b(Bf')
      .map(({ text }) => text)
      .join(''),
  ).toBe('abcdef');
});

it('keeps the text after a sequence that never ends', () => {
  expect(
    parseAnsi('a\u001b[31')
      .map(({ text }) => text)
      .join(''),
  ).toContain('a');
  expect(stripAnsi('a\u001b]0;title')).toBe('a');
});

it('strips every sequence and nothing else', () => {
  expect(stripAnsi('\u001b[31mred\u001b[0m\nplain')).toBe('red\nplain');
});
