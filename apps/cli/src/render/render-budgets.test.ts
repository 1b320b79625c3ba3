import { expect, it } from 'vitest';
import { renderBudgets, renderOperatorBudgets } from './render-budgets.ts';

const sheet = { style: (_: unknown, text: string) => text, page: { width: 120, isTerminal: true } } as never;
const spent = { cost_usd: 41.5, input_tokens: 9_000, output_tokens: 1_000, calls: 12, unpriced_calls: 0 };
const unlimited = { limit: { cost_usd: null, tokens: null }, spent, share: null, state: 'open' as const };
const warned = { ...unlimited, limit: { cost_usd: 50, tokens: null }, share: 0.83, state: 'warned' as const };

it('shows each budget in a row of its own, and below them for which month they are', () => {
  const repo = { ...warned, repo_id: '0198a1b2-0000-7000-8000-000000000001', name: 'shop' };
  const month = { month: '2026-11', ends_at: '2026-12-01T00:00:00.000Z' };
  const budgets = { ...month, user: unlimited, repositories: [repo], installation: null };
  const lines = renderBudgets(budgets, sheet).split('\n');
  expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
    ['BUDGET', 'LIMIT', 'USED', 'COST', 'TOKENS'],
    ['you', 'no limit', '41.50 USD', '10,000'],
    ['shop', '50.00 USD', '83 %', '41.50 USD', '10,000', '80 % are used'],
    [''],
    ['In 2026-11 (UTC).'],
  ]);
});

it('tells an operator the limit of each user, and that calls without a price are not held by one in dollars', () => {
  const user = { ...unlimited, user_id: '0198a1b2-0000-7000-8000-000000000002', email: 'ada@example.com' };
  const budgets = {
    month: '2026-11',
    installation: { ...warned, spent: { ...spent, unpriced_calls: 3 } },
    each_user: { cost_usd: null, tokens: 5_000_000 },
    users: [{ ...user, codehost_login: null }],
  };
  const [, server, ada, blank, ...notes] = renderOperatorBudgets(budgets as never, sheet).split('\n');
  expect([server, ada, blank]).toEqual([
    expect.stringMatching(/^this server +50\.00 USD/),
    expect.stringMatching(/^ada@example\.com +no limit/),
    '',
  ]);
  expect(notes).toEqual([
    'Each user without a limit of their own: 5,000,000 tokens.',
    'In 2026-11 (UTC).',
    'The price of 3 calls is unknown: only a limit in tokens holds those.',
  ]);
});
