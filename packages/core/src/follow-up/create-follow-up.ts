import type { ChangeRequest } from '../code-host/code-host.ts';
import type { Ids, IssueId } from '../id/id.ts';
import type { Issue, NewIssue } from '../issue/issue.ts';
import type { IssueStore } from '../issue/issue-store.ts';
import { hiddenTextWarnings } from '../text/hidden-text.ts';
import { followUpText } from './follow-up-text.ts';
import type { FollowUpTrigger } from './follow-up-triggers.ts';

export interface FollowUpRequest {
  /** The issue that led to the pull request. */
  readonly first: Issue;
  readonly change: Pick<ChangeRequest, 'number' | 'headBranch'>;
  readonly ask: FollowUpTrigger;
  /** False where another issue goes first: this one is created and stays `pending`. */
  readonly queue: boolean;
}

/**
 * Creates the issue that continues a pull request after a comment or a review: on the same branch, and through the same
 * gates. It is queued at once, or stays `pending` while its repository is busy. One trigger makes one issue, however often
 * and by however many processes this is called.
 *
 * @returns `waits` when the issue was created but not queued
 */
export async function createFollowUp(
  context: { readonly issues: IssueStore; readonly ids: Ids },
  request: FollowUpRequest,
): Promise<'queued' | 'waits' | 'exists'> {
  const issue = newFollowUp(context.ids.next() as IssueId, request);
  if (request.queue) {
    const queued = await context.issues.create(issue, { queue: true });
    if (queued.kind === 'applied') return 'queued';
    if (queued.kind === 'exists') return 'exists';
  }
  const written = await context.issues.create(issue, { queue: false });
  return written.kind === 'exists' ? 'exists' : 'waits';
}

function newFollowUp(id: IssueId, { first, change, ask }: FollowUpRequest): NewIssue {
  const text = followUpText(ask, change);
  const labels: string[] = [];
  return {
    ...text,
    id,
    userId: first.userId,
    repoId: first.repoId,
    origin: 'follow_up',
    labels,
    baseBranch: change.headBranch,
    branch: change.headBranch,
    parentIssueId: first.id,
    codehost: { number: null, commentId: ask.key, url: ask.comments[0].url },
    warnings: hiddenTextWarnings({ ...text, labels }),
  };
}
