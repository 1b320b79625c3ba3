import { expect, it } from 'vitest';
import { type Build, buildNotes } from './build-words.ts';

const build: Build = {
  ...{ commit: 'c0ffee', verdict: 'failure', failed: ['lint', 'unit'], also_failing_at_base: [], optional_failed: [] },
  url: 'https://host.test/run/1',
};

it('says why a failed build is not fixed, and what does not count', () => {
  expect(buildNotes(build)).toEqual([]);
  expect(buildNotes({ ...build, also_failing_at_base: ['lint'], optional_failed: ['slow'], given_up: true })).toEqual([
    'The base branch fails too, so this is not fixed here: lint.',
    'Failed, but not required: slow.',
    'Fixing it was given up: a person has to look.',
  ]);
});
