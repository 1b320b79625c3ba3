import { describe, expect, it } from 'vitest';
import { changeFindings } from '../../src/integrity/change-findings.ts';
import { readCorpus } from './read-corpus.ts';

const runners = ['node-test', 'vitest', 'mocha', 'pytest', 'go', 'cargo', 'others', 'outlined'];
const subjects = [
  'test-files',
  'collected',
  'systems',
  'removed',
  'configurations',
  'commands',
  'replaced',
  'guarded',
  'weaker-forms',
  'tables',
  'cut-off',
  'repeated',
];
const corpus = [...runners, ...subjects].flatMap(readCorpus);

describe('changes that weaken the tests', () => {
  it.each(corpus.filter(({ kind }) => kind !== 'honest'))('$title: $kind', ({ kind, ...change }) => {
    expect(changeFindings(change).map((finding) => finding.kind)).toContain(kind);
  });
});

describe('honest changes', () => {
  const honest = corpus.filter(({ kind }) => kind === 'honest');

  it.each(honest)('$title', (change) => {
    expect(changeFindings(change)).toEqual([]);
  });

  it('are at least a hundred', () => {
    expect(honest.length).toBeGreaterThanOrEqual(100);
  });
});
