import { describe, expect, it } from 'vitest';
import { repoMark, wordVectors } from './word-vector.ts';

const vector = (paths: string, names: string, text: string) => {
  const [only] = wordVectors([{ paths, names, text }], repoMark(40));
  if (only === undefined) throw new Error('no vector');
  return only;
};

describe('a chunk as a vector of words', () => {
  it('labels each word by how often it counts: in a path four times, in a name three, in the text once', () => {
    expect(vector('a.ts', 'sum', 'add add carry').words.split(' ')).toEqual([
      "'14:a':1B",
      "'14:ts':1B",
      "'14:sum':1B",
      "'14:add':1C",
      "'14:carri':1D",
    ]);
    expect(vector('sum.ts', 'sum', 'sum').words.split(' ')).toContain("'14:sum':1A");
  });

  it('counts all words of it, and the words inside its names once more', () => {
    expect(vector('a.ts', 'getUser', 'return user;').length).toBe(7);
  });

  it('stays within what Postgres takes, however many words there are and however long', () => {
    const endless = Array.from({ length: 300_000 }, (_, n) => `w${n}`).join(' ');
    expect(vector('a.ts', '', `${'x'.repeat(5_000)} ${endless}`).words.length).toBeLessThan(1_024 * 1_024);
  });
});
