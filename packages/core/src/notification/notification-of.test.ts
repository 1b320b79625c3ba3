import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../issue/event-catalog.ts';
import { notificationCatalog, toNotification } from './notification-catalog.ts';
import { mayNotify, type NotifiedIssue, notificationOf } from './notification-of.ts';

const at = new Date('2026-11-20T09:15:00.000Z');
const id = '0198a1b2-0000-7000-8000-000000000001';
const url = 'https://host.test/acme/sum/pull/9';
const issue = {
  id,
  title: 'Fix <sum>',
  status: 'awaiting_approval',
  origin: 'api',
  gate: {
    kind: 'plan',
    revision: 2,
    plan_hash: null,
    base_commit: null,
    head_commit: null,
    requested_at: at.toISOString(),
    expires_at: null,
    reasons: ['A reason\u202e\nin two lines.'],
    blocker: null,
    approvals: [],
    approvals_needed: 1,
    requester_approves: true,
  },
  error: null,
  changeRequest: { number: 9, state: 'draft' },
  result: { change_request_url: url },
  repo: { id: '0198a1b2-0000-7000-8000-000000000002', name: 'acme/sum' },
  triage: { kind: 'bug', open_questions: [] },
} as unknown as NotifiedIssue;

const told = (event: NewEvent, overrides: object = {}) => {
  const notification = notificationOf(event, { ...issue, ...overrides } as NotifiedIssue, at);
  if (notification !== null) expect(mayNotify(event)).toBe(true);
  return notification;
};
const asked: NewEvent = { type: 'review.requested', data: { revision: 2 } };
const status = (to: 'failed' | 'completed' | 'running', from = 'running' as const): NewEvent => ({
  type: 'issue.status',
  data: { from, to, stage: null, queue_position: null },
});
const published = (change_request_url: string | null): NewEvent =>
  ({ type: 'result.published', data: { result: { change_request_url } } }) as unknown as NewEvent;
const changed = (state: 'draft' | 'open' | 'merged' | 'closed'): NewEvent => ({
  type: 'change_request.updated',
  data: { number: 9, url, state },
});

describe('a notification', () => {
  it.each([
    ['of a plan', asked, {}, 'gate.opened'],
    ['of a question', asked, { triage: { kind: 'question', open_questions: [] } }, 'question.asked'],
    ['of an open question', asked, { triage: { kind: 'bug', open_questions: ['Which?'] } }, 'question.asked'],
    ['of a publication', asked, { gate: { ...issue.gate, kind: 'publish' } }, 'publish_gate.opened'],
    ['of a failure', status('failed'), { status: 'failed', error: { stage: 'test', detail: 'Red.' } }, 'issue.failed'],
    ['of an end', status('completed'), { status: 'completed' }, 'issue.completed'],
    ['of a pull request', published(url), { status: 'completed' }, 'change_request.opened'],
    ['of a merge', changed('merged'), { status: 'completed' }, 'change_request.merged'],
    ['of a close', changed('closed'), { status: 'completed' }, 'change_request.closed'],
    ['of a pull request of a cancelled issue', changed('draft'), { status: 'cancelled' }, 'change_request.opened'],
    ['of a budget', { type: 'budget.warning', data: { share: 0.8, detail: '4 of 5' } }, {}, 'budget.warning'],
  ] as const)('follows from the event %s, in its documented form', (...row) => {
    const [, event, overrides, type] = row;
    const stored = told(event as NewEvent, overrides);
    expect(stored?.type).toBe(type);
    const notification = toNotification(stored as NonNullable<typeof stored>, new URL('https://sluice.test/'));
    expect(notificationCatalog[type].strict().parse(notification.data)).toEqual(notification.data);
    expect(notification).toMatchObject({
      timestamp: at.toISOString(),
      data: { issue_id: id, title: 'Fix <sum>', url: `https://sluice.test/issues/${id}` },
    });
  });

  it.each([
    ['a status that is news to nobody', status('running'), {}],
    ['the stage of an issue that has failed already', status('failed', 'failed' as 'running'), { error: null }],
    ['an answer or a branch without a pull request', published(null), { result: null }],
    ['a follow-up, which continues a pull request', published(url), { origin: 'follow_up' }],
    ['a follow-up that shares a merged pull request', changed('merged'), { origin: 'follow_up' }],
    ['a pull request that is ready for review', changed('open'), { status: 'completed' }],
    ['a reminder', { type: 'gate.reminder', data: { kind: 'plan', requested_at: '', expires_at: null } }, {}],
    ['a message', { type: 'user.message', data: { text: 'x' } }, {}],
  ] as const)('does not follow from %s', (_what, event, overrides) => {
    expect(told(event as NewEvent, overrides)).toBeNull();
  });

  it('holds one line of a reason and of a failure, shortened and without hidden characters', () => {
    expect(told(asked, { gate: { ...issue.gate, kind: 'publish' } })).toMatchObject({
      data: { reason: 'A reason[U+202E] in two lines.' },
    });
    const failed = told(status('failed'), { error: { stage: 'test', detail: 'x'.repeat(5_000) } });
    expect(failed).toMatchObject({ data: { error: { stage: 'test', message: `${'x'.repeat(299)}…` } } });
  });
});
