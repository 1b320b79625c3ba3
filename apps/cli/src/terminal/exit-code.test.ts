import { errorKinds, issueStatuses, isTerminal } from '@sluice/core';
import { expect, it } from 'vitest';
import { exitCode, exitCodeByKind, exitCodeByStatus } from './exit-code.ts';

it('has the numbers of the contract', () => {
  expect(Object.values(exitCode)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130]);
});

it.each(errorKinds)('answers the kind %s with a failure', (kind) => {
  expect(Object.values(exitCode)).toContain(exitCodeByKind[kind]);
  expect(exitCodeByKind[kind]).not.toBe(exitCode.done);
});

it.each(issueStatuses)('has an exit code for %s exactly when the issue has ended', (status) => {
  expect(exitCodeByStatus[status] !== null).toBe(isTerminal(status));
});

it('is 0 for a completed issue alone', () => {
  expect(issueStatuses.filter((status) => exitCodeByStatus[status] === exitCode.done)).toEqual(['completed']);
});
