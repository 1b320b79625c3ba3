import type { NewEvent } from '../issue/event-catalog.ts';
import type { Issue } from '../issue/issue.ts';
import { wantedAtGate } from '../issue/issue-inbox.ts';
import { shortened, visibleLine } from '../text/visible-text.ts';
import type { NotificationKind, StoredNotification } from './notification-catalog.ts';

/** The facts of an issue that a notification can tell, after the change that the event reports. */
export interface NotifiedIssue
  extends Pick<Issue, 'id' | 'title' | 'status' | 'origin' | 'gate' | 'error' | 'changeRequest' | 'result'> {
  readonly repo: { readonly id: Issue['repoId']; readonly name: string };
  readonly triage: Issue['pipeline']['triage'];
}

const MAX_TEXT_LENGTH = 300; // a sentence or two; the console has the whole

/** Whether an event can lead to a notification. Most cannot, and then nothing is read. */
export function mayNotify({ type, data }: NewEvent): boolean {
  switch (type) {
    case 'review.requested':
    case 'review.approved':
    case 'budget.warning':
    case 'change_request.updated':
      return true;
    case 'result.published':
      return data.result.change_request_url !== null;
    case 'issue.status':
      return data.from !== data.to && (data.to === 'failed' || data.to === 'completed');
    default:
      return false;
  }
}

/** The notification that an event leads to, or null. @param at when the event happened */
export function notificationOf(event: NewEvent, issue: NotifiedIssue, at: Date): StoredNotification | null {
  const facts = { issue_id: issue.id, title: issue.title, repo: issue.repo, status: issue.status };
  const timestamp = at.toISOString();
  switch (event.type) {
    case 'review.requested':
    case 'review.approved': {
      if (issue.gate === null) return null;
      const { revision, expires_at, reasons, approvals, approvals_needed } = issue.gate;
      const data = { ...facts, revision, expires_at, approvals: approvals.length, approvals_needed };
      const decision = wantedAtGate(issue.gate, issue.triage);
      if (decision === 'publish') {
        const [reason] = reasons;
        const first = reason === undefined ? null : sentence(reason);
        return { type: 'publish_gate.opened', timestamp, data: { ...data, reason: first } };
      }
      return { type: decision === 'question' ? 'question.asked' : 'gate.opened', timestamp, data };
    }
    case 'issue.status':
      if (event.data.to === 'completed') {
        return { type: 'issue.completed', timestamp, data: { ...facts, change_request: changeRequestOf(issue) } };
      }
      if (event.data.to === 'failed' && issue.error !== null) {
        const error = { stage: issue.error.stage, message: sentence(issue.error.detail) };
        return { type: 'issue.failed', timestamp, data: { ...facts, error } };
      }
      return null;
    case 'result.published': {
      const changeRequest = changeRequestOf(issue);
      // A follow-up continues the pull request of another issue.
      if (changeRequest === null || issue.origin === 'follow_up') return null;
      return { type: 'change_request.opened', timestamp, data: { ...facts, change_request: changeRequest } };
    }
    case 'change_request.updated': {
      const type = changedTo(event.data.state, issue);
      return type === null ? null : { type, timestamp, data: { ...facts, change_request: event.data } };
    }
    case 'budget.warning':
      return { type: 'budget.warning', timestamp, data: { ...facts, budget: event.data } };
    default:
      return null;
  }
}

function changeRequestOf({ changeRequest, result }: NotifiedIssue) {
  const url = result?.change_request_url ?? null;
  return changeRequest === null || url === null ? null : { ...changeRequest, url };
}

/** The state of a shared pull request is told once, for the issue that it was opened for. */
function changedTo(
  state: NonNullable<Issue['changeRequest']>['state'],
  { origin, status }: NotifiedIssue,
): Extract<NotificationKind, `change_request.${string}`> | null {
  if (origin === 'follow_up') return null;
  if (state === 'merged' || state === 'closed') return `change_request.${state}`;
  // It was opened for an issue that had ended meanwhile, so no `result.published` tells of it.
  return status === 'completed' ? null : 'change_request.opened';
}

function sentence(text: string): string {
  return shortened(visibleLine(shortened(text, MAX_TEXT_LENGTH)), MAX_TEXT_LENGTH);
}
