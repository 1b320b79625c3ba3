import { errorKinds } from '@sluice/core/error';
import { issueStatuses, isTerminal } from '@sluice/core/issue';
import { expect, it } from 'vitest';
import { exitCode, exitCodeByKind, exitCodeByStatus } from './exit-code.ts';

it('has the documented numbers', () => {
  expect(Object.values(exitCode)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130]);
});

it.each(errorKinds)('maps the kind %s to a failure', (kind) => {
  expect(Object.values(exitCode)).toContain(exitCodeByKind[kind]);
  expect(exitCodeByKind[kind]).not.toBe(exitCode.done);
});

it.each(issueStatuses)('has an exit code for %s exactly when the issue has ended', (status) => {
  expect(exitCodeByStatus[status] !== null).toBe(isTerminal(status));
});

it('is 0 only for a completed issue', () => {
  expect(issueStatuses.filter((status) => exitCodeByStatus[status] === exitCode.done)).toEqual(['completed']);
});
