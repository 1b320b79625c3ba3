import type { HostedComment } from '../code-host/code-host.ts';
import { isFollowUpTrigger } from './is-follow-up-trigger.ts';

/** What one follow-up is made from: a comment of the conversation, or a whole review. */
export interface FollowUpTrigger {
  /** Names it in its repository, whatever of it is edited or deleted later: the review's id, or the comment's. */
  readonly key: string;
  /** A review's own text before its comments on lines. */
  readonly comments: readonly [HostedComment, ...HostedComment[]];
}

/**
 * What the comments on a pull request ask for, in the order in which it was said. A review's comments become visible
 * together and are by one person, so they are one ask. Comments of the conversation are each one of their own: which of
 * them a look finds together is chance, and the same words must not lead to other issues because a delivery was late.
 *
 * @param since when the issue that made the pull request was written down
 */
export function followUpTriggers(comments: readonly HostedComment[], since: Date): readonly FollowUpTrigger[] {
  const byKey = new Map<string, HostedComment[]>();
  for (const comment of comments) {
    if (!isFollowUpTrigger(comment, since)) continue;
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

/** Comments on lines bear the time at which they were drafted; nobody else has seen them before the last one. */
function saidAt({ comments }: FollowUpTrigger): number {
  return Math.max(...comments.map(({ createdAt }) => createdAt.getTime()));
}
