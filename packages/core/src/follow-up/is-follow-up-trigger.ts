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

/** Whose comments on a pull request count. */
export interface TriggerRules {
  /** When the issue that led to the pull request was created. */
  readonly since: Date;
  /** The logins of the review bots that the repository allows, with or without `[bot]`. */
  readonly reviewBots: readonly string[];
}

/**
 * Whether a comment on one of our pull requests triggers a follow-up. Of people: its author has write access, and wrote it
 * after the first issue was created. Of bots: the repository allows its author by name, and it is part of a review. What a
 * bot answers in a thread, or writes in the conversation, triggers nothing, so that no two of us talk to each other. Text by
 * anyone else is not an instruction. Our own comments come from the same account and are recognized by their marker alone.
 */
export function isFollowUpTrigger(comment: HostedComment, { since, reviewBots }: TriggerRules): boolean {
  const { byBot, byWriter, reviewId, inReplyTo, body, createdAt } = comment;
  if (byBot ? reviewId === null || inReplyTo !== null || !isAllowedBot(comment, reviewBots) : !byWriter) return false;
  if (!HAS_TEXT.test(body) || hasMarker(body)) return false;
  return createdAt.getTime() >= toSecond(since);
}

function isAllowedBot({ author }: HostedComment, reviewBots: readonly string[]): boolean {
  const plain = (login: string) => login.toLowerCase().replace(/\[bot\]$/, '');
  return reviewBots.some((login) => plain(login) === plain(author));
}

/** The host's times have whole seconds. */
function toSecond(time: Date): number {
  return Math.floor(time.getTime() / 1_000) * 1_000;
}
