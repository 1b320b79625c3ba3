import { expect, it } from 'vitest';
import { fuzzyRank } from './fuzzy-rank.ts';

const rank = (items: string[], query: string) => fuzzyRank(items, query, (item) => item);

it('keeps all items in their order without a query', () => {
  expect(rank(['b', 'a'], ' ')).toEqual(['b', 'a']);
});

it('finds letters in order, and puts what has the word as it is before that', () => {
  expect(rank(['Go to settings', 'None', 'Get one'], 'gt')).toEqual(['Get one', 'Go to settings']);
  expect(rank(['g-o-t-o', 'Forgotten', 'Go to the inbox: goto'], 'goto')).toEqual(['Go to the inbox: goto', 'g-o-t-o']);
});

it('prefers the start of a word', () => {
  expect(rank(['reissue', 'new issue'], 'issue')).toEqual(['new issue', 'reissue']);
});

it('wants all words, in any order and case', () => {
  expect(rank(['Open the Inbox', 'Open settings', 'Inbox'], 'inbox OPEN')).toEqual(['Open the Inbox']);
});

it('gives at most fifty', () => {
  expect(
    rank(
      Array.from({ length: 80 }, (_, index) => `item ${index}`),
      'item',
    ),
  ).toHaveLength(50);
});
