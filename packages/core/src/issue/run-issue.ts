import type { Authorized } from '../access/authorized.ts';
import { neededOnIssue } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import { repoBusy } from '../repo/repo-busy.ts';
import type { Issue } from './issue.ts';
import { isActive, isPending } from './issue-machine.ts';
import type { IssueStore } from './issue-store.ts';
import { wrongStatus } from './wrong-status.ts';

/**
 * Queues a pending issue. Does nothing if it is already queued. With `waits`, an issue whose repository is busy waits for it
 * instead of being refused; one that waits already keeps its place in the line.
 *
 * @throws AppError `issue_not_pending`, `repo_busy`
 */
export async function runIssue(
  context: { issues: IssueStore },
  issue: Authorized<Issue, 'manage'>,
  { by, waits = false }: { readonly by: Initiator | 'service'; readonly waits?: boolean | undefined },
): Promise<Issue> {
  if (!isPending(issue.status)) throw wrongStatus('issue_not_pending', issue, 'only a `pending` issue can be run');
  if (isActive(issue) || (waits && issue.waitsForRepo)) return issue;
  const outcome = await context.issues.apply({
    issueId: issue.id,
    from: { status: issue.status, queued: false },
    trigger: 'queued',
    orWait: waits,
    events: [],
    audit: auditEntry(
      by,
      { action: 'issue.queued', subjectId: issue.id, detail: {} },
      by === 'service' ? undefined : neededOnIssue('manage', issue, by),
    ),
  });
  if (outcome.kind === 'repo_busy') throw repoBusy(outcome.holder, issue.repoId);
  if (outcome.kind === 'applied') return outcome.issue;
  const now = await context.issues.get(issue.id);
  if (now === null) throw new AppError('issue_not_found');
  if (isActive(now) || (waits && now.waitsForRepo)) return now; // it was run concurrently
  throw wrongStatus('issue_not_pending', now, 'only a `pending` issue can be run');
}
