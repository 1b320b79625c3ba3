import { expect, it } from 'vitest';
import type { Decided } from '../events/fold-milestones.ts';
import { decidedFirst } from './decided-first.ts';

const decided = (more: Partial<Decided> = {}): Decided => ({
  seq: 9,
  at: '2026-11-20T09:15:00.000Z',
  action: 'approve',
  revision: 2,
  guidance: null,
  userId: 'ada',
  on: 'plan',
  ...more,
});

it('finds the decision on the gate that was seen, and no earlier one', () => {
  const gate = { kind: 'publish', revision: 2, requestedAt: '2026-11-20T10:00:00.000Z' } as const;
  const before = decided({ on: 'publish' });
  const since = decided({ on: 'publish', seq: 20, at: '2026-11-20T10:05:00.000Z' });
  expect(decidedFirst([before], gate)).toBeUndefined();
  expect(decidedFirst([before, since, decided()], gate)).toBe(since);
});
