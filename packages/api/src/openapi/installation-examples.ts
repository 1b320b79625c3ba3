interface Named {
  readonly userId: string;
  readonly repoId: string;
  readonly sessionId: string;
  readonly at: string;
  readonly later: string;
}

/** Example answers of the operations of operators on users and repositories, and of invitations. */
export function adminExamples({ userId, repoId, sessionId, at, later }: Named) {
  const user = {
    id: userId,
    email: 'ada@example.com',
    name: 'Ada',
    codehost_login: null,
    has_password: true,
    operator: true,
    disabled_at: null,
    deleted_at: null,
    second_factor: true,
    live_sessions: 1,
    live_tokens: 1,
    repositories: 2,
    failed_logins: 0,
    last_seen_at: at,
    created_at: at,
  };
  const session = {
    id: sessionId,
    current: false,
    client: 'Firefox on Linux',
    created_at: at,
    last_seen_at: at,
    idle_ends_at: null,
    expires_at: '2026-12-20T09:15:00.000Z',
  };
  const invitation = {
    id: '0193a5c4-2f6b-7a10-8d3e-4c5b6a798802',
    email: 'grace@example.com',
    repository: null,
    invited_by: { id: userId, name: 'Ada', codehost_login: null },
    created_at: at,
    expires_at: later,
  };
  const into = { ...invitation, repository: { id: repoId, name: 'owner/name', role: 'contributor' } };
  const url =
    'https://sluice.example.com/register#invitation=Zk3wq1nB0tY8cRj5Lh2xVdS7uPo4Ea9GmTfKiQy6WbM&email=grace%40example.com';
  return {
    'admin.invite': { ...invitation, url },
    'admin.invitations': { items: [into, invitation], next_cursor: null },
    'repos.inviteMember': { ...into, url },
    'repos.invitations': { items: [into], next_cursor: null },
    'admin.users': { items: [user], next_cursor: null },
    'admin.user': user,
    'admin.updateUser': user,
    'admin.userSessions': { items: [session], next_cursor: null },
    'admin.repos': {
      items: [
        {
          id: repoId,
          name: 'owner/name',
          registrant: { id: userId, name: 'Ada', email: 'ada@example.com', codehost_login: null, disabled: false },
          members: 3,
          last_activity_at: at,
          created_at: at,
        },
      ],
      next_cursor: null,
    },
  };
}

const WORKER = 'b1f6c2f0-5a3e-4a8e-9c55-6a0f4a1d7e22';
const AT = '2026-11-20T09:15:00.000Z';
const LATER = '2026-11-20T09:16:12.480Z';

/** Example answer of `admin.overview`: one issue runs. */
export const overviewExample = {
  version: '1.0.0',
  commit: null,
  queue: { waiting_for_slot: 0, waiting_for_repo: 1, oldest_queued_at: null },
  slots: [
    {
      number: 1,
      retired: false,
      holder: {
        issue_id: '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f',
        title: 'Sum of an empty list is undefined',
        owner: { id: '0193a59e-4d21-7c3b-b0aa-52c1e7f90d34', email: 'ada@example.com', codehost_login: null },
        status: 'running',
        stage: 'implement',
        since: AT,
        worker_id: WORKER,
      },
    },
    { number: 2, retired: false, holder: null },
  ],
  workers: [
    {
      id: WORKER,
      host: 'worker-1',
      pid: 4711,
      role: 'worker',
      version: '1.0.0',
      concurrency: 10,
      started_at: AT,
      seen_at: LATER,
      state: 'running',
      sandbox: { kind: 'bwrap', usable: true, problem: null, gaps: [] },
    },
  ],
  readiness: {
    status: 'up',
    checks: {
      database: { status: 'up', latency_ms: 1 },
      cache: { status: 'up', latency_ms: 0 },
      vector_store: { status: 'up', latency_ms: 3 },
    },
  },
  configuration: [
    { name: 'PORT', value: '3000', source: 'environment', path: null },
    { name: 'SESSION_SECRET', value: null, source: 'env file', path: '/etc/sluice/env' },
  ],
};

/** An entry of the audit log of the whole installation. */
export function auditOfAllExample({
  issueId,
  repoId,
  userId,
  sessionId,
  at,
}: Pick<Named, 'userId' | 'repoId' | 'sessionId' | 'at'> & { readonly issueId: string }) {
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
