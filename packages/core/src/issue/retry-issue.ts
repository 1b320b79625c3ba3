import type { Authorized } from '../access/authorize.ts';
import { AppError } from '../error/app-error.ts';
import { retriedPipeline } from '../pipeline/retried-pipeline.ts';
import type { IssueStore } from '../port/issue-store.ts';
import type { Issue } from './issue.ts';
import { nextStatus } from './issue-machine.ts';
import { repoBusy, wrongStatus } from './refusals.ts';

/**
 * Puts a failed issue back into the queue. It goes on at the stage that failed, in a new round of it. Of several
 * retries at once exactly one takes effect.
 *
 * @throws AppError `issue_not_failed`, `repo_busy`
 */
export async function retryIssue(context: { issues: IssueStore }, issue: Authorized<Issue>): Promise<Issue> {
  let seen: Issue = issue;
  // A stale write means that somebody else retried; if that has failed already too, this is the retry after it.
  for (;;) {
    if (nextStatus(seen.status, 'retried') === null) {
      throw wrongStatus('issue_not_failed', seen, 'only a `failed` one can be retried');
    }
    const outcome = await context.issues.apply({
      issueId: seen.id,
      // Not the status alone: the pipeline's state is made from what was seen, and must not undo a later failure's.
      from: { status: seen.status, lastSeq: seen.lastSeq },
      trigger: 'retried',
      set: { pipeline: retriedPipeline(seen) },
      events: [],
    });
    if (outcome.kind === 'repo_busy') throw repoBusy(outcome.holder, issue.userId);
    if (outcome.kind === 'applied') return outcome.issue;
    const now = await context.issues.get(seen.id);
    if (now === null) throw new AppError('issue_not_found');
    seen = now;
  }
}
