import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { UserId } from '../id/id.ts';
import type { Issue } from './issue.ts';
import { isTerminal, statusesWhere } from './issue-machine.ts';
import type { IssueStore } from './issue-store.ts';
import { wrongStatus } from './wrong-status.ts';

/**
 * Cancels an issue that has not ended, whatever it is doing. The status is written first; the worker that drives
 * the issue loses its lease by that and kills what runs.
 *
 * @throws AppError `issue_terminal`
 */
export async function cancelIssue(
  context: { issues: IssueStore },
  issue: Issue,
  { by }: { readonly by: Initiator },
): Promise<Issue> {
  let seen = issue;
  // The pipeline moves while we look: each stale write means that it took a step, and the steps before an end are finite.
  for (;;) {
    if (isTerminal(seen.status))
      throw wrongStatus('issue_terminal', seen, 'an issue that has ended cannot be cancelled');
    const outcome = await context.issues.apply({
      issueId: seen.id,
      from: { status: seen.status },
      trigger: 'cancelled',
      set: { gate: null },
      events: [],
      audit: auditEntry(by, { action: 'issue.cancelled', subjectId: seen.id, detail: {} }),
    });
    if (outcome.kind === 'applied') return outcome.issue;
    const now = await context.issues.get(seen.id);
    if (now === null) throw new AppError('issue_not_found');
    seen = now;
  }
}

const unended = statusesWhere((status) => !isTerminal(status));
const AT_A_TIME = 100;

/**
 * Cancels every issue of a user's that has not ended, those that wait for a start among them. Newest first, so that what
 * is queued does not start in the slot of what was running.
 *
 * @returns how many were cancelled here
 */
export async function cancelIssuesOf(
  context: { issues: IssueStore },
  userId: UserId,
  request: { readonly by: Initiator },
): Promise<number> {
  let cancelled = 0;
  for (;;) {
    const { items } = await context.issues.list({ userId, statuses: unended, limit: AT_A_TIME, cursor: null });
    if (items.length === 0) return cancelled;
    for (const issue of items) if (await isCancelledHere(context, issue, request)) cancelled += 1;
  }
}

/** False when it ended by itself, or was removed, in the last moment. */
async function isCancelledHere(
  context: { issues: IssueStore },
  issue: Issue,
  request: { readonly by: Initiator },
): Promise<boolean> {
  try {
    await cancelIssue(context, issue, request);
    return true;
  } catch (error) {
    if (error instanceof AppError && /^issue_(terminal|not_found)$/.test(error.code)) return false;
    throw error;
  }
}

/** Cancels an issue whose gate nobody answered in time. False when somebody did in the last moment. */
export async function expireGate(context: { issues: IssueStore }, issue: Issue): Promise<boolean> {
  if (issue.gate === null) return false;
  const what = issue.gate.kind === 'plan' ? 'the plan' : 'whether the change may be published';
  const detail = `Nobody decided ${what} before ${issue.gate.expires_at}.`;
  const outcome = await context.issues.apply({
    issueId: issue.id,
    from: { status: issue.status, planRevision: issue.gate.revision, lastSeq: issue.lastSeq },
    trigger: 'gate_expired',
    set: { gate: null, error: { stage: issue.stage, detail } },
    events: [],
    detail,
  });
  return outcome.kind === 'applied';
}
