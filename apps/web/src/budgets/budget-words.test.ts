import { expect, it } from 'vitest';
import { budgetWarning, heldWords, limitWords, spentWords, typedLimit } from './budget-words.ts';

const spent = { input_tokens: 41_200_000, output_tokens: 960_000, cost_usd: 164.5, calls: 3_120, unpriced_calls: 0 };
const budget = { limit: { cost_usd: 200, tokens: null }, spent, share: 0.8225, state: 'warned' } as const;

it('says what was spent of which limit', () => {
  expect(spentWords(budget)).toBe('$164.50, 42.2M tokens; limit $200.00 (82 % used)');
  expect(spentWords({ ...budget, limit: { cost_usd: null, tokens: null }, share: null })).toBe(
    '$164.50, 42.2M tokens; no limit',
  );
  expect(limitWords({ cost_usd: 5, tokens: 2_000_000 })).toBe('$5.00 or 2M tokens');
});

it('warns of a budget that is used up, nearly used up, or cannot hold all calls', () => {
  expect(budgetWarning({ ...budget, state: 'exhausted' })).toContain('Used up');
  expect(budgetWarning(budget)).toBe('At least 80 % are used.');
  expect(budgetWarning({ ...budget, spent: { ...spent, unpriced_calls: 1 } })).toContain(
    'The price of 1 call is unknown',
  );
  expect(budgetWarning({ ...budget, state: 'open' })).toBeNull();
});

it.each([
  ['user', 'an operator of this server'],
  ['repo', 'an admin of the repository'],
  ['installation', 'an operator of this server'],
] as const)('says who can raise the budget of kind %s', (kind, by) => {
  expect(heldWords(kind)).toContain(`when ${by} raises the budget`);
});

it('takes numbers with separators, takes nothing for no limit, and refuses what is no number from 0', () => {
  expect(typedLimit({ cost_usd: ' $1,200.50 ', tokens: '' })).toEqual({ cost_usd: 1200.5, tokens: null });
  expect(typedLimit({ cost_usd: '0', tokens: '5,000,000' })).toEqual({ cost_usd: 0, tokens: 5_000_000 });
  expect(typedLimit({ cost_usd: 'much', tokens: '' })).toBeNull();
  expect(typedLimit({ cost_usd: '-1', tokens: '' })).toBeNull();
  expect(typedLimit({ cost_usd: '', tokens: '1.5' })).toBeNull();
});
