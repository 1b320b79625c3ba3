import type { ChangeRequestState } from '../code-host/change-request.ts';
import type { HostedComment } from '../code-host/code-host.ts';
import { hasMarker } from '../code-host/issue-marker.ts';

const HAS_TEXT = /[\p{L}\p{N}]/u; // an emoji alone requests nothing

const takesFollowUps: Readonly<Record<ChangeRequestState, boolean>> = {
  draft: true,
  open: true,
  merged: false, // a push to its branch would have no effect
  closed: false,
};

/** Whether work on a pull request in this state can continue. */
export function canBeFollowedUp(state: ChangeRequestState): boolean {
  return takesFollowUps[state];
}

/**
 * Whether a comment on one of our pull requests triggers a follow-up: its author has write access, and wrote it after the
 * first issue was created. Text by anyone else is not an instruction. Our own comments come from the same account and are
 * recognized by their marker alone.
 *
 * @param since when the issue that led to the pull request was created
 */
export function isFollowUpTrigger(comment: HostedComment, since: Date): boolean {
  if (!comment.byWriter || !HAS_TEXT.test(comment.body) || hasMarker(comment.body)) return false;
  return comment.createdAt.getTime() >= toSecond(since);
}

/** The host's times have whole seconds. */
function toSecond(time: Date): number {
  return Math.floor(time.getTime() / 1_000) * 1_000;
}
