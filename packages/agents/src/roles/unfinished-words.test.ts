import { expect, it } from 'vitest';
import { furtherHonest, furtherUnfinished, honest, refusals, unfinished } from '../../test/loop/ends-in-words.ts';
import { refusalIn, unfinishedIn } from './unfinished-words.ts';

it.each(refusals)('sees a refusal: %s', (text) => {
  expect(refusalIn(text)).not.toBeNull();
});

it.each([...unfinished, ...furtherUnfinished])('sees that the work is not done: %s', (text) => {
  expect(unfinishedIn(text)).not.toBeNull();
});

it.each([...honest, ...furtherHonest])('takes an honest summary as one: %s', (text) => {
  expect([refusalIn(text), unfinishedIn(text)]).toEqual([null, null]);
});

it('is fast on long text of one sentence', () => {
  expect(unfinishedIn('I was '.repeat(200_000))).toBeNull();
  expect(refusalIn('`'.repeat(200_000))).toBeNull();
  expect(unfinishedIn('"'.repeat(200_001))).toBeNull();
});
