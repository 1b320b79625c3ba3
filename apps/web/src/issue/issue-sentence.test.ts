import type { Gate, Issue, IssueStatus, Stage } from '@sluice/client';
import { expect, it } from 'vitest';
import { type Attempt, cancelWords, issueSentence, type SpokenIssue } from './issue-sentence.ts';

const at = '2026-11-20T09:15:00.000Z';

const idle: SpokenIssue = {
  status: 'pending',
  stage: null,
  gate: null,
  plan: null,
  triage: null,
  result: null,
  error: null,
  queue_position: null,
  queued_at: null,
  started_at: null,
  finished_at: null,
  created_at: at,
  waits_for_repo: false,
  held_by_budget: null,
  change_request_state: null,
};

const gate: Gate = {
  kind: 'plan',
  revision: 1,
  plan_hash: null,
  base_commit: null,
  head_commit: null,
  requested_at: at,
  expires_at: null,
  reasons: [],
  blocker: null,
  approvals: [],
  approvals_needed: 1,
  requester_approves: true,
  your_approval: 'counts',
  estimate: null,
};

const step = (stage: Stage, more: Partial<Attempt> = {}): Attempt => ({
  stage,
  round: 1,
  attempt: 1,
  outcome: 'running',
  started_at: at,
  detail: null,
  ...more,
});

const said = (more: Partial<SpokenIssue>, last?: Attempt) => issueSentence({ ...idle, ...more }, last).text;

it.each<[string, Partial<SpokenIssue>]>([
  ['Not started: run it when it is ready', {}],
  ['Waits for budget: that of the repository is used up for this month', { held_by_budget: 'repo', queued_at: at }],
  ['Waits for another issue on the same repository to end', { waits_for_repo: true }],
  ['Queued: it waits for a free slot', { queued_at: at }],
  ['Queued, next to start: all slots are busy', { queued_at: at, queue_position: 1 }],
  ['Queued, 3rd: all slots are busy', { queued_at: at, queue_position: 3 }],
  ['Queued, 12th: all slots are busy', { queued_at: at, queue_position: 12 }],
  ['Starting', { status: 'running' }],
  ['Preparing the repository', { status: 'running', stage: 'prepare' }],
  ['Indexing the code', { status: 'running', stage: 'index' }],
  ['Reading the issue', { status: 'running', stage: 'triage' }],
  ['Writing the plan', { status: 'running', stage: 'plan' }],
  ['Writing revision 3 of the plan', { status: 'running', stage: 'plan', plan: { revision: 2 } as Issue['plan'] }],
  ['Writing down the plan for your decision', { status: 'running', stage: 'human_review' }],
  ['Writing the change', { status: 'running', stage: 'implement' }],
  ['Running the tests', { status: 'running', stage: 'test' }],
  ['Reviewing the change', { status: 'running', stage: 'review' }],
  ['Publishing the change', { status: 'running', stage: 'publish' }],
  ['Writing down the plan for your decision', { status: 'human_review', stage: 'human_review' }],
  ['Waits for you: decide on the plan', { status: 'awaiting_approval', stage: 'human_review', gate }],
  ['Waits for you: decide on revision 2 of the plan', { status: 'awaiting_approval', gate: { ...gate, revision: 2 } }],
  [
    'Waits for you: answer 2 questions and decide on the plan',
    {
      status: 'awaiting_approval',
      gate,
      triage: { kind: 'bug', risk: 'low', open_questions: ['Which?', 'When?'] },
    },
  ],
  [
    'Waits for you: decide on revision 2 of the plan',
    {
      status: 'awaiting_approval',
      gate: { ...gate, revision: 2 },
      triage: { kind: 'bug', risk: 'low', open_questions: ['Which?'] },
    },
  ],
  [
    'Waits for you: decide whether to publish the change',
    { status: 'awaiting_approval', stage: 'publish', gate: { ...gate, kind: 'publish', head_commit: 'c0ffee' } },
  ],
  ['Waits for you: decide whether to publish the change', { status: 'awaiting_approval', stage: 'publish' }],
  [
    'Waits for an approver: decide on the plan',
    { status: 'awaiting_approval', gate: { ...gate, your_approval: 'role_insufficient' } },
  ],
  [
    'Waits for another person: decide on the plan',
    { status: 'awaiting_approval', gate: { ...gate, your_approval: 'requester_may_not_approve' } },
  ],
  [
    'Waits for another person: decide on the plan',
    { status: 'awaiting_approval', gate: { ...gate, your_approval: 'already_approved' } },
  ],
  ['Completed', { status: 'completed' }],
  ['Completed: the branch is pushed', { status: 'completed', result: { answer: null } as Issue['result'] }],
  ['Completed: the question is answered', { status: 'completed', result: { answer: 'No.' } as Issue['result'] }],
  ['Completed: the pull request is merged', { status: 'completed', change_request_state: 'merged' }],
  ['Completed: the pull request is a draft', { status: 'completed', change_request_state: 'draft' }],
  ['Ended: the plan was rejected', { status: 'rejected', stage: 'human_review' }],
  ['Ended: the change was rejected', { status: 'rejected', stage: 'publish' }],
  ['Failed', { status: 'failed' }],
  [
    'Failed in implement',
    {
      status: 'failed',
      error: { stage: 'implement', detail: 'The agent is stuck. It repeated itself.\nSee the log.' },
    },
  ],
  ['Cancelled', { status: 'cancelled' }],
  ['Cancelled: Nobody decided', { status: 'cancelled', error: { stage: null, detail: 'Nobody decided.' } }],
])('says "%s"', (text, issue) => {
  expect(said(issue)).toBe(text);
});

const statuses: readonly IssueStatus[] = [
  'pending',
  'running',
  'human_review',
  'awaiting_approval',
  'completed',
  'rejected',
  'failed',
  'cancelled',
];

const stages: readonly (Stage | null)[] = [
  null,
  'prepare',
  'index',
  'triage',
  'plan',
  'human_review',
  'implement',
  'test',
  'review',
  'publish',
];

const gates: readonly (Gate | null)[] = [null, gate, { ...gate, kind: 'publish' }];

it('has a sentence for every status at every stage, with and without a gate', () => {
  for (const status of statuses)
    for (const stage of stages)
      for (const open of gates) expect(said({ status, stage, gate: open })).toMatch(/^[A-Z][^{}]+[^ :]$/);
});

it('tells the round and the attempt of what is running, and since when', () => {
  const issue = { ...idle, status: 'running', stage: 'test' } as const;
  expect(issueSentence(issue, step('test', { attempt: 2 }))).toEqual({
    text: 'Running the tests, attempt 2',
    tone: 'accent',
    since: at,
  });
  expect(said(issue, step('test', { round: 2, attempt: 3 }))).toBe('Running the tests, round 2, attempt 3');
});

it('tells why a stage is tried again', () => {
  const last = step('plan', { outcome: 'failed', detail: 'The model is overloaded. Wait.' });
  expect(said({ status: 'running', stage: 'plan' }, last)).toBe(
    'Writing the plan: it failed and is tried again (The model is overloaded)',
  );
});

it('leaves out an attempt at the stage before', () => {
  expect(said({ status: 'running', stage: 'test' }, step('implement', { attempt: 4 }))).toBe('Running the tests');
});

it('cuts a reason that is longer than a line', () => {
  const detail = 'x'.repeat(500);
  expect(said({ status: 'cancelled', error: { stage: null, detail } })).toHaveLength('Cancelled: '.length + 160);
});

it('says what is lost', () => {
  expect(cancelWords({ status: 'running' })).toMatch(/work of this round is lost.*cannot be retried/);
});
