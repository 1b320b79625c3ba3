import type { HostedComment } from '../code-host/code-host.ts';
import { isFollowUpTrigger, type TriggerRules } from './is-follow-up-trigger.ts';

/** The source of one follow-up: a comment in the conversation, or a whole review. */
export interface FollowUpTrigger {
  /** The id of the review or the comment, unique in the repository. Later edits and deletions do not change it. */
  readonly key: string;
  /** The text of a review precedes its comments on lines. */
  readonly comments: readonly [HostedComment, ...HostedComment[]];
}

/**
 * Groups the comments on a pull request into follow-ups, in chronological order. The comments of a review are published
 * together by one person, so they make one follow-up. Each comment in the conversation makes its own: which of them one
 * sync finds together is chance, and a late delivery must not change the issues that result.
 */
export function followUpTriggers(comments: readonly HostedComment[], rules: TriggerRules): readonly FollowUpTrigger[] {
  const byKey = new Map<string, HostedComment[]>();
  for (const comment of comments) {
    if (!isFollowUpTrigger(comment, rules)) continue;
    const key = comment.reviewId ?? comment.id;
    const together = byKey.get(key);
    if (together === undefined) byKey.set(key, [comment]);
    else together.push(comment);
  }
  const asks: FollowUpTrigger[] = [];
  for (const [key, [first, ...more]] of byKey) {
    if (first !== undefined) asks.push({ key, comments: [first, ...more].sort(textBeforeLines) as [HostedComment] });
  }
  return asks.sort((one, other) => saidAt(one) - saidAt(other));
}

function textBeforeLines(one: HostedComment, other: HostedComment): number {
  return Number(one.place !== null) - Number(other.place !== null);
}

/** Comments on lines carry the time of their draft. They were published together with the last one. */
function saidAt({ comments }: FollowUpTrigger): number {
  return Math.max(...comments.map(({ createdAt }) => createdAt.getTime()));
}
