import { eventually } from '@sluice/testing';
import { expect, it } from 'vitest';
import { createPolledSignals } from './polled-signals.ts';
import { createProcessSignals } from './process-signals.ts';

it('tells followers of an issue to read the rows periodically, until they leave', async () => {
  const local = createProcessSignals();
  const signals = createPolledSignals(local);
  const looks: number[] = [];
  const others: number[] = [];
  const leave = signals.subscribe('a', { onEvents: ({ seq }) => looks.push(seq) });
  signals.subscribe('b', { onEvents: ({ seq }) => others.push(seq) });
  signals.eventsWritten({ issueId: 'a', userId: 'u', seq: 3 });
  expect(looks).toEqual([3]);
  await eventually(() => expect(looks.length).toBeGreaterThanOrEqual(3));
  expect(new Set(looks.slice(1))).toEqual(new Set([Number.POSITIVE_INFINITY]));
  leave();
  const [seen, before] = [looks.length, others.length];
  await eventually(() => expect(others.length).toBeGreaterThan(before + 1));
  expect(looks).toHaveLength(seen);
  signals.close();
});

it('tells followers of all issues too, and no listener that does not follow events', async () => {
  const local = createProcessSignals();
  const signals = createPolledSignals(local);
  const looks: string[] = [];
  const leave = signals.subscribe(null, { onEvents: ({ issueId, userId }) => looks.push(`${issueId}|${userId}`) });
  await eventually(() => expect(looks.length).toBeGreaterThanOrEqual(2));
  expect(new Set(looks)).toEqual(new Set(['|']));
  leave();
  signals.subscribe(null, { onSessionEnded: () => {} });
  local.subscribe(null, { onEvents: () => looks.push('a poll that nobody asked for') });
  const seen = looks.length;
  const others: number[] = [];
  signals.subscribe('b', { onEvents: ({ seq }) => others.push(seq) });
  await eventually(() => expect(others.length).toBeGreaterThanOrEqual(2));
  expect(looks.length - seen).toBe(others.length); // b's alone
  signals.close();
});
