import { describe, expect, it } from 'vitest';
import { requireBoundedJson } from './read-body.ts';

const check = (text: string) => () => requireBoundedJson(Buffer.from(text));
const list = (count: number, element: string) => `[${Array.from({ length: count }, () => element).join(',')}]`;
const object = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}": 1`).join(' , ')}}`;
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('the bounds of a JSON text', () => {
  it.each([
    ['elements', list(1_000, '1'), list(1_001, '1')],
    ['keys', object(1_000), object(1_001)],
    ['equal keys', `{${list(1_000, '"a":1').slice(1, -1)}}`, `{${list(1_001, '"a":1').slice(1, -1)}}`],
    ['members of all levels together', `{"a":${list(999, '{}')}}`, `{"a":${list(1_000, '{}')}}`],
    ['elements that are lists of one', list(500, '[1]'), list(501, '[1]')],
  ])('take 1,000 %s and no more', (_, most, tooMany) => {
    expect(check(most)).not.toThrow();
    expect(check(tooMany)).toThrow('more than 1000 members');
  });

  it.each([
    ['commas and brackets in a string', JSON.stringify({ text: '[{,'.repeat(2_000) })],
    ['an escaped quote', JSON.stringify({ text: `"${','.repeat(2_000)}\\` })],
    ['empty containers with whitespace', `[[ \n\t\r ], { }]`],
    ['a long number', `[${'1'.repeat(2_000)}]`],
  ])('do not count %s', (_, text) => {
    expect(check(text)).not.toThrow();
  });

  it('take 33 levels and no more', () => {
    expect(check(nested(33))).not.toThrow();
    expect(check(nested(34))).toThrow('nested too deeply');
  });

  it.each(['', '}}}]]]', '"', '\\', '{"a', '[,,,', '\u0000'])('leave the invalid text %j to the parser', (text) => {
    expect(check(text)).not.toThrow();
  });
});
