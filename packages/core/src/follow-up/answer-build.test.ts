import { expect, it } from 'vitest';
import type { BuildCheck } from '../code-host/hosted-build.ts';
import { answerBuild, type FailedBuild } from './answer-build.ts';

const check = (name: string): BuildCheck => ({
  ...{ id: `check-${name}`, name, summary: null, source: 'check', state: 'failure', required: true, partOf: null },
  ...{ url: null, startedAt: null, completedAt: null },
});
const [unit, lint] = [check('unit'), check('lint')];
const failed: FailedBuild = {
  verdict: { state: 'failure', failed: [unit, lint], optionalFailed: [], missing: [] },
  failingAtBase: new Set(['lint']),
  follows: 'fix',
  isOurs: true,
  isTried: false,
  rounds: 0,
  mostRounds: 2,
};

it('fixes what fails at a head of ours and not at the base', () => {
  expect(answerBuild(failed)).toEqual({ kind: 'fix', checks: [unit] });
  expect(answerBuild({ ...failed, rounds: 1 })).toEqual({ kind: 'fix', checks: [unit] });
});

it('gives up after as many follow-ups as are allowed', () => {
  expect(answerBuild({ ...failed, rounds: 2 })).toEqual({ kind: 'give_up' });
  expect(answerBuild({ ...failed, rounds: 3 })).toEqual({ kind: 'give_up' });
});

it.each<[string, Partial<FailedBuild>]>([
  ['a repository that only watches', { follows: 'watch' }],
  ['a repository that looks away', { follows: 'off' }],
  ['an operator that allows no follow-up', { mostRounds: 0, rounds: 0 }],
  ['a head that a person has pushed', { isOurs: false }],
  ['a head that had its follow-up', { isTried: true, rounds: 2 }],
  ['failures that the base has too', { failingAtBase: new Set(['lint', 'unit']) }],
  ['an optional failure', { verdict: { state: 'success', failed: [], optionalFailed: [unit], missing: [] } }],
  ...(['pending', 'cancelled', 'stale', 'none'] as const).map((state): [string, Partial<FailedBuild>] => [
    `a verdict that is ${state}`,
    { verdict: { ...failed.verdict, state } },
  ]),
])('does nothing for %s', (_name, change) => {
  expect(answerBuild({ ...failed, ...change })).toEqual({ kind: 'none' });
});
