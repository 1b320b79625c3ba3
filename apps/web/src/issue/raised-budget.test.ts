import type { IssueBudget } from '@sluice/client';
import { expect, it } from 'vitest';
import { limitsToRaise, raisedBudget } from './raised-budget.ts';

const budget: IssueBudget = {
  tokens: { limit: 2_000, used: 2_100, left: 0 },
  cost_usd: { limit: 5, used: 1, left: 4 },
  active_ms: { limit: 600_000, used: 600_000, left: 0 },
};

it('asks for those limits alone that are used up, and suggests twice as much', () => {
  expect(limitsToRaise(budget).map(({ name, suggestion }) => [name, suggestion])).toEqual([
    ['tokens', 4_200],
    ['active_ms', 20],
  ]);
  expect(limitsToRaise(null)).toEqual([]);
});

it('takes what is suggested, or what was typed in its unit', () => {
  const limits = limitsToRaise(budget);
  expect(raisedBudget(limits, {})).toEqual({ tokens: 4_200, active_ms: 1_200_000 });
  expect(raisedBudget(limits, { active_ms: '12.5' })).toEqual({ tokens: 4_200, active_ms: 750_000 });
});

it.each(['2100', '', 'much', '-1', '1e999'])('does not take %j for a higher limit', (tokens) => {
  expect(raisedBudget(limitsToRaise(budget), { tokens })).toBeNull();
});
