import { issueWire } from '@sluice/core/issue';
import { accountExamples, memberExamples, signInExamples, tokenExamples } from './account-examples.ts';
import { attachmentExamples, inboxExample } from './inbox-example.ts';
import {
  adminExamples,
  auditOfAllExample,
  budgetExamples,
  overviewExample,
  serverExample,
} from './installation-examples.ts';
import { notificationExamples } from './notification-examples.ts';
import { outcomeExample, outcomesExample } from './outcome-examples.ts';

const ISSUE = '0193a5b0-7c3e-7d4a-9f21-6b1f0c2d3e4f';
const REPO = '0193a5a2-1b0c-7e11-8a55-0f3d9c4b7a10';
const USER = '0193a59e-4d21-7c3b-b0aa-52c1e7f90d34';
const SESSION = '0193a59e-4d2f-7f08-9c6e-1d84b2a7c655';
const BASE = '4f0c1a7be2d95836a1b7c0de4f9a83125d6e7b90';
const HEAD = '9d3b52c8e07fa6144bd2e9318c5fa07d6e1b2c43';
const AT = '2026-11-20T09:15:00.000Z';
const LATER = '2026-11-20T09:16:12.480Z';

/** An estimate at the gate of a plan. */
const estimateExample = {
  history: 48,
  cost_usd: { point: 0.42, low: 0.2, high: 1.1 },
  active_ms: { point: 360_000, low: 180_000, high: 840_000 },
  coverage: { held: 41, of: 50 },
  summary: 'Likely $0.42 (0.20–1.10) and 6 min (3–14), from 48 runs here; such ranges held 41 of 50 times.',
};

const auditOfAll = auditOfAllExample({ issueId: ISSUE, repoId: REPO, userId: USER, sessionId: SESSION, at: LATER });

const profile = {
  id: USER,
  email: 'ada@example.com',
  email_verified_at: AT,
  name: 'Ada',
  avatar_url: null,
  codehost_id: null,
  codehost_login: null,
  operator: true,
  created_at: AT,
};

const repo = {
  id: REPO,
  name: 'owner/name',
  url: 'https://example.com/owner/name',
  default_branch: 'main',
  provider: 'git',
  codehost_repo_id: null,
  setup_command: null,
  test_command: 'npm test',
  instructions: null,
  settings: {
    draft_change_request: true,
    allow_red_base: false,
    setup_network: false,
    test_before_gate: true,
    label_trigger: null,
    auto_run: false,
    ...{ requester_approves: true, plan_approvals: 1, publish_approvals: 1 },
    follow_build: 'watch',
    follow_base: 'watch',
    mirror_members: false,
    review_bots: [],
    issue_templates: [],
  },
  role: 'admin',
  registered_by: USER,
  active_issue_id: ISSUE,
  index: { commit: BASE, files: 12, chunks: 40, updated_at: LATER },
  created_at: AT,
  updated_at: AT,
};

const plan = {
  revision: 1,
  summary: 'Give the sum a start value.',
  steps: [
    { title: 'Start at 0', detail: 'Reduce from 0, so that an empty list sums to 0.', files: ['src/sum.ts'] },
    { title: 'Test it', detail: 'Sum an empty list.', files: ['test/sum.test.ts'] },
  ],
  acceptance_criteria: ['sum([]) is 0'],
  risks: [],
  test_strategy: 'The new test fails before the change and passes after it.',
  guidance: null,
  created_at: LATER,
};

const written = {
  id: ISSUE,
  repo_id: REPO,
  title: 'The sum of an empty list is NaN',
  body: 'in `src/sum.ts` replace `list.reduce(add)` with `list.reduce(add, 0)`',
  status: 'running',
  stage: 'prepare',
  created_by: USER,
  origin: 'api',
  labels: ['bug'],
  parent_issue_id: null,
  follow_up: null,
  codehost_number: null,
  codehost_url: null,
  change_request_state: null,
  base_branch: 'main',
  plan: null,
  gate: null,
  result: null,
  error: null,
  usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
  triage: null,
  commands: null,
  budget: {
    tokens: { limit: 2_000_000, used: 0, left: 2_000_000 },
    cost_usd: { limit: null, used: 0, left: null },
    active_ms: { limit: 14_400_000, used: 0, left: 14_400_000 },
  },
  queue_position: null,
  waits_for_repo: false,
  queue_reason: null,
  held_by_budget: null,
  created_at: AT,
  updated_at: AT,
  queued_at: AT,
  started_at: AT,
  finished_at: null,
  form: 'full',
};

/** The example with its defaults: the fields that it leaves out. */
const running = { ...written, ...issueWire.parse(written) };
const pending = { ...running, status: 'pending', stage: null, queued_at: null, started_at: null };
const imported = {
  ...pending,
  origin: 'codehost',
  codehost_number: 7,
  codehost_url: 'https://example.com/owner/name/issues/7',
};

const awaiting = {
  ...running,
  status: 'awaiting_approval',
  stage: 'human_review',
  plan,
  gate: {
    kind: 'plan',
    revision: 1,
    ...{ plan_hash: null, base_commit: BASE, head_commit: null },
    ...{ requested_at: LATER, expires_at: null, reasons: [], blocker: null },
    ...{ approvals: [], approvals_needed: 1, requester_approves: true, your_approval: 'counts' },
    estimate: estimateExample,
  },
  usage: { input_tokens: 18_204, output_tokens: 1_310, cost_usd: 0.07 },
  triage: { kind: 'bug', risk: 'low', open_questions: ['Should the sum of an empty list be 0?'] },
  commands: { setup: null, test: { command: 'npm test', source: 'detected' } },
  budget: {
    tokens: { limit: 2_000_000, used: 19_514, left: 1_980_486 },
    cost_usd: { limit: null, used: 0.07, left: null },
    active_ms: { limit: 14_400_000, used: 61_000, left: 14_339_000 },
  },
  updated_at: LATER,
};

const instructed = { ...awaiting, status: 'running', stage: 'plan', gate: null };

const diff = `--- a/src/sum.ts
+++ b/src/sum.ts
@@ -1 +1 @@
-export const sum = (list: number[]) => list.reduce(add);
+export const sum = (list: number[]) => list.reduce(add, 0);
`;

/** An example answer of each procedure, by name, all about the same account, repository and issue. */
export const answerExamples: Readonly<Record<string, unknown>> = {
  ...attachmentExamples({ issue: ISSUE, user: USER, at: AT }),
  ...notificationExamples({ issue: awaiting, repo, at: AT, later: LATER }),
  'audit.list': {
    items: [
      {
        at: LATER,
        user_id: USER,
        actor: 'user',
        session_id: SESSION,
        token_id: null,
        action: 'issue.decided',
        subject: { kind: 'issue', id: ISSUE },
        detail: { action: 'approve', on: 'plan', revision: 1 },
      },
    ],
    next_cursor: null,
  },
  ...signInExamples,
  'auth.oidc.cli.finish': profile,
  'auth.codehost.cli.finish': { ...profile, codehost_id: '1024', codehost_login: 'ada' },
  'auth.login': profile,
  'auth.me': profile,
  'auth.account.update': profile,
  'auth.register': profile,
  'auth.account.failedLogins': {
    items: [
      { day: '2026-11-20', count: 12 },
      { day: '2026-11-18', count: 1 },
    ],
    next_cursor: null,
  },
  'auth.sessions.list': {
    items: [
      {
        id: SESSION,
        current: true,
        client: 'Firefox on Linux',
        created_at: AT,
        last_seen_at: AT,
        idle_ends_at: '2026-11-23T09:15:00.000Z',
        expires_at: '2026-12-20T09:15:00.000Z',
      },
    ],
    next_cursor: null,
  },
  'codehost.repos': {
    items: [
      {
        id: '2048',
        full_name: 'owner/name',
        private: true,
        description: null,
        default_branch: 'main',
        url: 'https://example.com/owner/name',
        pushed_at: AT,
        registered_repo_id: REPO,
      },
    ],
    next_page: null,
  },
  'server.get': serverExample,
  'health.live': { status: 'up' },
  'health.ready': overviewExample.readiness,
  'admin.overview': overviewExample,
  'admin.audit': { items: [auditOfAll], next_cursor: null },
  'issues.list': { items: [awaiting], next_cursor: null },
  'issues.inbox': inboxExample({ awaiting, draft: imported, repoName: repo.name, since: LATER }),
  'issues.create': running,
  'issues.import': imported,
  'issues.get': awaiting,
  'issues.update': { ...pending, labels: [] },
  'issues.approve': instructed,
  'issues.diff': {
    base_commit: BASE,
    head_commit: HEAD,
    files: [{ path: 'src/sum.ts', additions: 1, deletions: 1, in_plan: true, reason: null, guarded: null }],
    diff,
    evidence: null,
  },
  'issues.history': {
    items: [
      {
        seq: 2,
        issue_id: ISSUE,
        type: 'issue.status',
        at: AT,
        data: { from: 'pending', to: 'running', stage: 'prepare', queue_position: null },
      },
    ],
    next_after: 2,
  },
  'issues.log': {
    items: [
      { seq: 1, command: 'npm test', run_seq: 12, stream: 'stdout', text: '# pass 1\n', left_out: null, at: LATER },
    ],
    next_after: null,
  },
  'issues.base': {
    branch: 'main',
    base_commit: BASE,
    current_commit: HEAD,
    moved: true,
    files_changed: 3,
    planned_files: ['src/sum.ts'],
  },
  'issues.outcome': { outcome: outcomeExample({ issueId: ISSUE, userId: USER }) },
  'issues.closeReason': outcomeExample({ issueId: ISSUE, userId: USER }),
  'outcomes.read': outcomesExample({ repoId: REPO, repoName: repo.name }),
  'issues.plans': { items: [plan] },
  'issues.retry': running,
  'issues.run': running,
  'issues.steps': {
    items: [
      {
        stage: 'plan',
        round: 1,
        attempt: 1,
        agent: 'planner',
        started_at: AT,
        finished_at: LATER,
        duration_ms: 72_480,
        outcome: 'completed',
        usage: awaiting.usage,
        detail: null,
      },
    ],
  },
  'repos.list': { items: [repo], next_cursor: null },
  'repos.create': { ...repo, active_issue_id: null, index: null },
  'repos.get': repo,
  'repos.update': repo,
  ...memberExamples({ userId: USER, at: AT }),
  ...budgetExamples({ userId: USER, repoId: repo.id }),
  ...accountExamples({ at: AT, later: LATER }),
  ...tokenExamples({ userId: USER, repoId: REPO, at: AT }),
  ...adminExamples({ userId: USER, repoId: REPO, sessionId: SESSION, at: AT, later: '2026-11-27T09:15:00.000Z' }),
  'repos.issues': {
    items: [
      {
        number: 7,
        title: running.title,
        labels: ['bug'],
        author: 'ada',
        author_can_write: true,
        url: 'https://example.com/owner/name/issues/7',
        updated_at: AT,
        imported_issue_id: null,
      },
    ],
    next_page: null,
  },
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

/** Example answers in text form. */
export const textExamples: Readonly<Record<string, string>> = {
  'issues.diff': diff,
  'outcomes.read': 'group,opened,merged,closed\r\nowner/name,4,2,1\r\n',
  'issues.log': '# pass 1\n',
  'admin.audit': `${JSON.stringify(auditOfAll)}\n`,
  'auth.oidc.cli.start': '<!doctype html>\n<title>Log a command in?</title>\n',
  'auth.codehost.cli.start': '<!doctype html>\n<title>Log a command in?</title>\n',
};
