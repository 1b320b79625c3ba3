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
