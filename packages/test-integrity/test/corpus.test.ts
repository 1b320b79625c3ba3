import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changeFindings } from '../src/change-findings.ts';
import { readCorpus } from './read-corpus.ts';

/** The changes of a folder. Those in `reviewed` were written by others than the detector, without looking at it. */
const changesIn = (folder: string) =>
  readdirSync(new URL(`./${folder}`, import.meta.url))
    .filter((name) => name.endsWith('.txt'))
    .flatMap((name) => readCorpus(folder + name.replace('.txt', '')));
const corpus = ['', 'reviewed/'].flatMap(changesIn);
const honest = corpus.filter(({ kind }) => kind === 'honest');

describe('changes that weaken the tests', () => {
  it.each(corpus.filter(({ kind }) => kind !== 'honest'))('$title: $kind', ({ kind, ...change }) => {
    const found = changeFindings(change).map((finding) => finding.kind);
    // Who wrote a change without looking at the detector does not know its kinds.
    if (kind === 'tampering') expect(found).not.toEqual([]);
    else expect(found).toContain(kind);
  });
});

describe('honest changes', () => {
  it.each(honest)('$title', (change) => {
    expect(changeFindings(change)).toEqual([]);
  });

  it('are at least two hundred', () => {
    expect(honest.length).toBeGreaterThanOrEqual(200);
  });
});
