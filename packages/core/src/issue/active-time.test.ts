import { expect, it } from 'vitest';
import { activeMs } from './active-time.ts';
import type { AttemptRecord } from './attempt-store.ts';

function aRun(outcome: AttemptRecord['outcome'], minutes: number | null): AttemptRecord {
  const startedAt = new Date('2026-11-20T10:00:00Z');
  return {
    stage: 'implement',
    round: 1,
    attempt: 1,
    agent: 'coder',
    startedAt,
    finishedAt: minutes === null ? null : new Date(startedAt.getTime() + minutes * 60_000),
    outcome,
    usage: null,
    detail: null,
  };
}

it('adds up stage runs that ended well or badly, and none that is under way', () => {
  expect(activeMs([aRun('completed', 2), aRun('failed', 3), aRun('running', null)])).toBe(300_000);
});

it('does not count an interrupted run, whose end is unknown', () => {
  expect(activeMs([aRun('completed', 2), aRun('interrupted', 600)])).toBe(120_000);
});

it('takes no time off for a run during which the clock was put back', () => {
  expect(activeMs([aRun('completed', 2), aRun('failed', -600)])).toBe(120_000);
});
