import type { ChangeRequestState, HostedComment } from '../code-host/code-host.ts';
import { hasMarker } from '../code-host/issue-marker.ts';

const SAYS_SOMETHING = /[\p{L}\p{N}]/u; // a thumb up asks for nothing

const takesFollowUps: Readonly<Record<ChangeRequestState, boolean>> = {
  draft: true,
  open: true,
  merged: false, // nothing that is pushed to its branch would get anywhere
  closed: false,
};

/** Whether work on a pull request can go on. */
export function canBeFollowedUp(state: ChangeRequestState): boolean {
  return takesFollowUps[state];
}

/**
 * Whether a comment on a pull request of ours asks for more work: a person who may write to the repository has said
 * something, after the work began. Anybody else's text is no instruction; our own comments come from the very same
 * account and are known by their marker alone.
 *
 * @param since when the issue that made the pull request was written down
 */
export function isFollowUpTrigger(comment: HostedComment, since: Date): boolean {
  if (!comment.byWriter || !SAYS_SOMETHING.test(comment.body) || hasMarker(comment.body)) return false;
  return comment.createdAt.getTime() >= toSecond(since);
}

/** The host tells times in whole seconds. */
function toSecond(time: Date): number {
  return Math.floor(time.getTime() / 1_000) * 1_000;
}
