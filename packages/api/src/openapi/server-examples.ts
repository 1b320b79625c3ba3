const model = { names: ['anthropic/claude-sonnet-4-5'], builtin: false };

/** The server, as a user sees it. */
export const serverExample = {
  registration: 'open',
  sign_in: ['password', 'oidc'],
  oidc_providers: [{ id: 'company', name: 'Example Company' }],
  password_reset: true,
  details: {
    version: '1.0.0',
    commit: null,
    models: {
      triage: model,
      plan: model,
      implement: model,
      review: model,
      embedding: null,
    },
    sandbox: 'bwrap',
    codehost: null,
    api_tokens: true,
    invitations: 'admins',
    sends_email: false,
    limits: {
      rates: [{ name: 'login', requests: 5, window_seconds: 60, per: 'address', counts: 'all' }],
      body_bytes: 1_048_576,
      title_characters: 200,
      issue_body_bytes: 65_536,
      labels: 50,
      streams_per_session: 50,
      streams_per_user: 200,
      gate_timeout_ms: 604_800_000,
      budget: { tokens: 2_000_000, cost_usd: null, active_ms: null },
      budget_is_fixed: false,
    },
  },
};

interface Named {
  readonly issueId: string;
  readonly repoId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly at: string;
}

/** An entry of the audit log of the whole installation. */
export function auditOfAllExample({ issueId, repoId, userId, sessionId, at }: Named) {
  return {
    ordinal: 42,
    at,
    user_id: userId,
    actor: 'user',
    session_id: sessionId,
    token_id: null,
    repo_id: repoId,
    action: 'issue.decided',
    subject: { kind: 'issue', id: issueId },
    detail: { action: 'approve', on: 'plan', revision: 1 },
  };
}

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

/** An example answer of a search in a repository. */
export const searchExample = {
  'repos.search': {
    items: [
      {
        path: 'src/sum.ts',
        start_line: 1,
        end_line: 1,
        symbol: 'sum',
        text: 'export const sum = (list: number[]) => list.reduce(add);',
        score: 0.82,
      },
    ],
  },
};
