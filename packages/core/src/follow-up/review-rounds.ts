import type { FollowUpCause } from '../pipeline/follow-up-cause.ts';

/** How many follow-ups people, or review bots, have led to. */
export function roundsSoFar(causes: readonly (FollowUpCause | null)[], byBot: boolean): number {
  return causes.filter((cause) => isRoundOf(cause, byBot)).length;
}

/** Whether a follow-up of a review or a comment is one too many, and waits until a person runs it. */
export function exceedsRounds(cause: FollowUpCause | null, limit: number): boolean {
  return (cause?.kind === 'review' || cause?.kind === 'comment') && (cause.round ?? 1) > limit;
}

function isRoundOf(cause: FollowUpCause | null, byBot: boolean): boolean {
  if (cause?.kind === 'review') return cause.by_bot === byBot;
  return cause?.kind === 'comment' && !byBot;
}
