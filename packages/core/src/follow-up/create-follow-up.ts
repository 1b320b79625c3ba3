import type { ChangeRequest } from '../code-host/change-request.ts';
import type { HostedComment } from '../code-host/code-host.ts';
import type { Ids } from '../id/id.ts';
import type { Issue } from '../issue/issue.ts';
import type { IssueStore } from '../issue/issue-store.ts';
import type { FollowUpCause } from '../pipeline/follow-up-cause.ts';
import type { ReviewRemark } from '../pipeline/review-remark.ts';
import { storableText } from '../text/storable-text.ts';
import { shortened, visibleLine } from '../text/visible-text.ts';
import { createCausedFollowUp } from './create-caused-follow-up.ts';
import { followUpText } from './follow-up-text.ts';
import type { FollowUpTrigger } from './follow-up-triggers.ts';

const REMARK_CHARACTERS = 200; // to recognize it by; the text of the issue has the whole

export interface FollowUpRequest {
  /** The issue that led to the pull request. */
  readonly first: Issue;
  readonly change: Pick<ChangeRequest, 'number' | 'headBranch'>;
  readonly ask: FollowUpTrigger;
  /** How many follow-ups of people, or of bots, the pull request has had, with this one. */
  readonly round: number;
  /** False where another issue goes first, or a person is asked to run it: this one is created and stays `pending`. */
  readonly queue: boolean;
  /** Shown to its user, e.g. why it waits. */
  readonly warnings?: readonly string[];
}

/**
 * Creates the issue that continues a pull request after a comment or a review, through the same gates as the first one. One
 * trigger makes one issue (see `createCausedFollowUp`).
 *
 * @returns `waits` when the issue was created but not queued
 */
export async function createFollowUp(
  context: { readonly issues: Pick<IssueStore, 'create'>; readonly ids: Ids },
  { first, change, ask, round, queue, warnings }: FollowUpRequest,
): Promise<'queued' | 'waits' | 'exists'> {
  return await createCausedFollowUp(context, {
    ...followUpText(ask, change),
    first,
    branch: change.headBranch,
    cause: causeOf(ask, round),
    key: ask.key,
    url: ask.comments[0].url,
    queue,
    ...(warnings !== undefined && { warnings }),
  });
}

function causeOf({ key, comments }: FollowUpTrigger, round: number): FollowUpCause {
  const remarks = comments.map(toRemark);
  const [{ reviewId, byBot }] = comments;
  if (reviewId === null) return { kind: 'comment', round, remarks };
  return { kind: 'review', review_id: key, round, by_bot: byBot, remarks };
}

function toRemark({ id, place, inReplyTo, author, url, body }: HostedComment): ReviewRemark {
  return {
    id,
    thread: inReplyTo ?? (place === null ? null : id),
    path: place === null ? null : storableText(place.path),
    line: place?.line ?? null,
    author: storableText(author),
    url: storableText(url),
    text: shortened(visibleLine(storableText(body)), REMARK_CHARACTERS),
  };
}
