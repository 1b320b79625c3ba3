import { neededOnIssue } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { UserId } from '../id/id.ts';
import type { Page } from '../request/page.ts';
import type { Issue, ListedIssue } from './issue.ts';
import { isTerminal, statusesWhere } from './issue-machine.ts';
import type { IssueQuery, IssueStore } from './issue-store.ts';
import { wrongStatus } from './wrong-status.ts';

type CancelledIssue = Pick<Issue, 'id' | 'status' | 'userId' | 'repoId'>;

interface CancelRequest {
  readonly by: Initiator;
  /** Whether the user deletes their account: then their issues end whatever role they still have. */
  readonly isLeaving?: true;
}

/**
 * Cancels an issue that has not ended. The status is written first. The worker that drives the issue then loses its lease
 * and kills the running commands.
 *
 * @throws AppError `issue_terminal`
 */
export async function cancelIssue(
  context: { issues: IssueStore },
  issue: CancelledIssue,
  { by, isLeaving }: CancelRequest,
): Promise<Issue> {
  let seen = issue;
  // Each stale write means that the pipeline has advanced, which it does a finite number of times.
  for (;;) {
    if (isTerminal(seen.status))
      throw wrongStatus('issue_terminal', seen, 'an issue that has ended cannot be cancelled');
    const outcome = await context.issues.apply({
      issueId: seen.id,
      from: { status: seen.status },
      trigger: 'cancelled',
      set: { gate: null },
      events: [],
      audit: {
        ...auditEntry(
          by,
          { action: 'issue.cancelled', subjectId: seen.id, detail: {} },
          isLeaving ? undefined : neededOnIssue('manage', seen, by),
        ),
        repoId: seen.repoId,
      },
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
 * Cancels all issues of a user that have not ended. Newest first, so that queued issues do not start in the slots of
 * running ones.
 *
 * @returns the number of issues that this call cancelled
 */
export async function cancelIssuesOf(
  context: { issues: IssueStore },
  userId: UserId,
  request: CancelRequest,
): Promise<number> {
  return await cancelIssuesIn(context, { requestedBy: userId }, request);
}

/**
 * Cancels all issues of a list that have not ended, as `cancelIssuesOf` does.
 *
 * @returns the number of issues that this call cancelled
 */
export async function cancelIssuesIn(
  context: { issues: IssueStore },
  which: Pick<IssueQuery, 'requestedBy' | 'readableBy' | 'repoId'>,
  request: CancelRequest,
): Promise<number> {
  let cancelled = 0;
  for (let cursor: string | null = null; ; ) {
    const page: Page<ListedIssue> = await context.issues.list({
      ...which,
      statuses: unended,
      limit: AT_A_TIME,
      cursor,
    });
    if (page.items.length === 0 && page.nextCursor === null) return cancelled;
    for (const issue of page.items) if (await isCancelledHere(context, issue, request)) cancelled += 1;
    cursor = page.nextCursor; // after the last page again from the first, until there is none left
  }
}

/** False when the issue ended or was deleted concurrently. */
async function isCancelledHere(
  context: { issues: IssueStore },
  issue: CancelledIssue,
  request: CancelRequest,
): Promise<boolean> {
  try {
    await cancelIssue(context, issue, request);
    return true;
  } catch (error) {
    if (error instanceof AppError && /^issue_(terminal|not_found)$/.test(error.code)) return false;
    throw error;
  }
}

/** Cancels an issue whose gate has expired. False when a decision came first. */
export async function expireGate(context: { issues: IssueStore }, issue: Issue): Promise<boolean> {
  if (issue.gate === null) return false;
  const gate = issue.gate.kind === 'plan' ? 'plan' : 'publish';
  const detail = `The ${gate} gate expired at ${issue.gate.expires_at} without a decision.`;
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
