import { describe, expect, it } from 'vitest';
import type { Plan } from '../pipeline/plan.ts';
import { NO_USAGE } from '../pipeline/usage.ts';
import { type EventData, type EventType, eventCatalog, issueEventWire, liveEventCatalog } from './event-catalog.ts';
import type { IssueWire } from './issue-wire.ts';

const id = '019a0000-0000-7000-8000-0000deadbeef';
const at = '2026-11-20T09:15:00.000Z';
const stageRun = { stage: 'plan', agent: 'planner', attempt: 1 } as const;
const plan: Plan = {
  revision: 1,
  summary: 'Add instead of subtract.',
  steps: [{ title: 'Fix the sum', detail: 'Use +.', files: ['src/sum.ts'] }],
  acceptance_criteria: ['1 + 1 is 2'],
  risks: [],
  test_strategy: 'The test that fails now.',
  guidance: null,
  created_at: at,
};
const result: EventData<'result.published'>['result'] = {
  branch: 'sluice/deadbeef-sum',
  base_commit: 'a'.repeat(40),
  head_commit: 'b'.repeat(40),
  change_request_url: null,
  summary: 'The sum is right.',
  files_changed: 1,
  additions: 1,
  deletions: 1,
  tests: { command: 'npm test', verdict: 'green', exit_code: 0, duration_ms: 3, base_exit_code: 1, new_failures: [] },
  findings: [],
  answer: null,
};
const issue: IssueWire = {
  form: 'full',
  id,
  repo_id: id,
  title: 'Sum is wrong',
  body: '',
  status: 'pending',
  stage: null,
  origin: 'api',
  labels: [],
  created_by: null,
  parent_issue_id: null,
  follow_up: null,
  codehost_number: null,
  codehost_url: null,
  change_request_state: null,
  base_branch: 'main',
  plan,
  gate: {
    kind: 'plan',
    plan_hash: null,
    base_commit: null,
    head_commit: null,
    revision: 1,
    requested_at: at,
    expires_at: null,
    reasons: [],
    blocker: null,
    approvals: [],
    approvals_needed: 1,
    requester_approves: true,
    your_approval: null,
    estimate: null,
  },
  result,
  error: { stage: 'test', detail: 'red' },
  usage: NO_USAGE,
  triage: null,
  commands: null,
  budget: null,
  queue_position: 1,
  waits_for_repo: false,
  queue_reason: null,
  held_by_budget: null,
  created_at: at,
  updated_at: at,
  queued_at: at,
  started_at: null,
  finished_at: null,
};

/** One of each; a type that is added without a sample does not compile. */
const samples: { [T in EventType]: EventData<T> } = {
  'issue.created': { issue },
  'issue.status': { from: 'pending', to: 'running', stage: 'prepare', queue_position: null },
  'stage.started': stageRun,
  'stage.completed': { ...stageRun, duration_ms: 5, usage: { ...NO_USAGE, cost_usd: null }, detail: null },
  'stage.failed': { ...stageRun, duration_ms: 5, detail: 'The fetch failed.', will_retry: true },
  'agent.message': { agent: 'planner', text: 'Reading.' },
  'agent.tool_call': { agent: 'coder', call_id: 'c1', tool: 'read_file', input: { path: 'src/sum.ts' } },
  'agent.tool_result': { agent: 'coder', call_id: 'c1', tool: 'read_file', ok: true, summary: '3 lines' },
  'plan.created': { plan },
  'review.requested': { revision: 1 },
  'gate.reminder': { kind: 'plan', requested_at: at, expires_at: null },
  'review.approved': { revision: 1, user_id: id, approvals: 1, approvals_needed: 2 },
  'review.approvals_dropped': { revision: 1, user_ids: [id], reason: 'approver_lost' },
  'review.decided': { revision: 1, action: 'instruct', guidance: 'Also fix the docs.', user_id: id },
  'command.started': { command: 'npm test' },
  'command.finished': { command: 'npm test', exit_code: null, duration_ms: 5, text: '' },
  'diff.updated': { files: [{ path: 'src/sum.ts', additions: 1, deletions: 1 }] },
  'result.published': { result },
  'remark.answered': {
    remark: 'line-77',
    outcome: 'done',
    commit: 'b'.repeat(40),
    text: 'Done in bbbbbbbbbbbb: Renamed it.',
    url: 'https://example.test/acme/anvil/pull/7#discussion_r78',
  },
  'review.waits': {
    number: 7,
    review: 'review-5',
    by_bot: false,
    rounds: 5,
    url: 'https://example.test/acme/anvil/pull/7#pullrequestreview-5',
  },
  'change_request.updated': { number: 7, url: 'https://example.test/acme/anvil/pull/7', state: 'open' },
  'build.updated': {
    ...{ commit: 'c0ffee', verdict: 'failure', failed: ['unit'], also_failing_at_base: [], optional_failed: [] },
    url: 'https://example.test/acme/anvil/runs/1',
  },
  'close.asked': { number: 7 },
  'close.answered': { number: 7, reason: 'too_large', note: null, user_id: id },
  'budget.warning': { share: 0.81, detail: '1,620,000 of 2,000,000 tokens' },
  'base.moved': { base_branch: 'main', base_commit: 'b2', conflicts: ['a.ts'], files: ['a.ts', 'b.ts'] },
  'user.message': { text: 'Please hurry.' },
  'note.read': { agent: 'coder', seq: 12 },
};

const types = Object.keys(eventCatalog) as EventType[];

describe('the event catalogue', () => {
  it.each(types)('reads %s as it was written, also after JSON', (type) => {
    const data = JSON.parse(JSON.stringify(samples[type]));
    expect(eventCatalog[type].parse(data)).toEqual(samples[type]);
    const written = { seq: 1, issue_id: id, type, at, data };
    expect(issueEventWire.parse(written)).toEqual(written);
  });

  it.each(types)('refuses %s when any of its members is missing', (type) => {
    for (const member of Object.keys(samples[type])) {
      const data: Record<string, unknown> = { ...samples[type] };
      delete data[member];
      expect(eventCatalog[type].safeParse(data).success).toBe(false);
    }
  });

  it('names its types as subject and past tense or thing, and shares none with live text', () => {
    for (const type of [...types, ...Object.keys(liveEventCatalog)]) expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/);
    expect(Object.keys(liveEventCatalog).filter((type) => types.includes(type as EventType))).toEqual([]);
  });

  it('knows no unknown type, no sequence below one and no time without a zone', () => {
    const written = { seq: 1, issue_id: id, type: 'user.message', at, data: { text: 'x' } };
    expect(issueEventWire.safeParse({ ...written, type: 'agent.delta' }).success).toBe(false);
    expect(issueEventWire.safeParse({ ...written, seq: 0 }).success).toBe(false);
    expect(issueEventWire.safeParse({ ...written, at: '2026-11-20 09:15' }).success).toBe(false);
  });
});
