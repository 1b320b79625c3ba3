import { describe, expect, it } from 'vitest';
import { judgeRetrieval } from './publish.ts';

const atBase = new Set(['a', 'b', 'c', 'd']);

describe('the judgement on a search', () => {
  it('holds what it showed against the files that were changed', () => {
    const judged = judgeRetrieval({ retrieved: ['a', 'c', 'd', 'x'], changed: ['a', 'b'], atBase });
    expect(judged).toEqual({ precision: 0.25, recall: 0.5 });
  });

  it('counts a file once however many of its places were shown', () => {
    expect(judgeRetrieval({ retrieved: ['a', 'a', 'a'], changed: ['a'], atBase })).toMatchObject({
      precision: 1,
      recall: 1,
    });
  });

  it('does not blame it for files that were not there to be found', () => {
    expect(judgeRetrieval({ retrieved: ['a'], changed: ['a', 'new'], atBase })).toMatchObject({ recall: 1 });
    expect(judgeRetrieval({ retrieved: ['a'], changed: ['new'], atBase })).toBeNull();
  });

  it('is nothing for a search that showed nothing of what was changed', () => {
    expect(judgeRetrieval({ retrieved: [], changed: ['a'], atBase })).toMatchObject({ precision: 0, recall: 0 });
  });
});
