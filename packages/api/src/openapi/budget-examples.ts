/** Example answers of the operations on monthly budgets. */
export function budgetExamples({ userId, repoId }: { readonly userId: string; readonly repoId: string }) {
  const month = { month: '2026-11', ends_at: '2026-12-01T00:00:00.000Z' };
  const budget = {
    limit: { cost_usd: 200, tokens: null },
    spent: { input_tokens: 41_200_000, output_tokens: 960_000, cost_usd: 164.5, calls: 3_120, unpriced_calls: 0 },
    share: 0.8225,
    state: 'warned',
  };
  const spent = { input_tokens: 1_840_000, output_tokens: 52_000, cost_usd: 7.25, calls: 140, unpriced_calls: 0 };
  const own = { limit: { cost_usd: 50, tokens: null }, spent, share: 0.145, state: 'open' };
  const ofRepo = { repo_id: repoId, name: 'shop', ...budget };
  const operator = {
    ...month,
    installation: { ...budget, limit: { cost_usd: null, tokens: null }, share: null, state: 'open' },
    each_user: { cost_usd: 50, tokens: null },
    users: [{ user_id: userId, name: 'Grace', email: 'grace@example.com', codehost_login: null, ...own }],
  };
  return {
    'budgets.mine': { ...month, user: own, repositories: [ofRepo], installation: null },
    'repos.budget': ofRepo,
    'repos.updateBudget': ofRepo,
    'admin.budgets': operator,
    'admin.updateBudgets': operator,
  };
}

/** An estimate at the gate of a plan. */
export const estimateExample = {
  history: 48,
  cost_usd: { point: 0.42, low: 0.2, high: 1.1 },
  active_ms: { point: 360_000, low: 180_000, high: 840_000 },
  coverage: { held: 41, of: 50 },
  summary: 'Likely $0.42 (0.20–1.10) and 6 min (3–14), from 48 runs here; such ranges held 41 of 50 times.',
};
