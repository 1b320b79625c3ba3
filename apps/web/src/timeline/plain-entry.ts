import type { IssueEvent } from '@sluice/client';
import type { Entry } from './timeline-item.ts';

/** An event that is an entry by itself. */
type PlainEvent = Extract<
  IssueEvent,
  {
    type:
      | 'user.message'
      | 'plan.created'
      | 'gate.reminder'
      | 'diff.updated'
      | 'result.published'
      | 'base.moved'
      | 'build.updated'
      | 'remark.answered'
      | 'review.waits'
      | 'review.approvals_dropped'
      | 'change_request.updated'
      | 'close.asked'
      | 'close.answered';
  }
>;

/** The entry of an event that no other event completes. */
export function plainEntry({ seq, at, ...event }: PlainEvent): Entry {
  switch (event.type) {
    case 'user.message':
      return { seq, at, kind: 'note', text: event.data.text, read: null };
    case 'plan.created':
      return { seq, at, kind: 'plan', plan: event.data.plan };
    case 'gate.reminder':
      return { seq, at, kind: 'reminder', gate: event.data.kind, expiresAt: event.data.expires_at };
    case 'diff.updated':
      return { seq, at, kind: 'files', files: event.data.files };
    case 'result.published':
      return { seq, at, kind: 'result', result: event.data.result };
    case 'build.updated':
      return { seq, at, kind: 'build', build: event.data };
    case 'remark.answered':
      return { seq, at, kind: 'remark', answered: event.data };
    case 'review.waits':
      return { seq, at, kind: 'review_waits', waiting: event.data };
    case 'review.approvals_dropped':
      return { seq, at, kind: 'approvals_dropped', dropped: event.data };
    case 'base.moved':
      return { seq, at, kind: 'base', moved: event.data };
    case 'change_request.updated':
      return { seq, at, kind: 'change_request', change: event.data };
    case 'close.asked':
      return { seq, at, kind: 'close', number: event.data.number, answer: null };
    case 'close.answered':
      return { seq, at, kind: 'close', number: event.data.number, answer: event.data };
  }
}
