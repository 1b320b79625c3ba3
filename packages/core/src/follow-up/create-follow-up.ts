import type { ChangeRequest } from '../code-host/change-request.ts';
import type { Ids } from '../id/id.ts';
import type { Issue } from '../issue/issue.ts';
import type { IssueStore } from '../issue/issue-store.ts';
import { createCausedFollowUp } from './create-caused-follow-up.ts';
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
 * Creates the issue that continues a pull request after a comment or a review, through the same gates as the first one. One
 * trigger makes one issue (see `createCausedFollowUp`).
 *
 * @returns `waits` when the issue was created but not queued
 */
export async function createFollowUp(
  context: { readonly issues: Pick<IssueStore, 'create'>; readonly ids: Ids },
  { first, change, ask, queue }: FollowUpRequest,
): Promise<'queued' | 'waits' | 'exists'> {
  return await createCausedFollowUp(context, {
    ...followUpText(ask, change),
    first,
    branch: change.headBranch,
    cause: { kind: 'comment' },
    key: ask.key,
    url: ask.comments[0].url,
    queue,
  });
}
