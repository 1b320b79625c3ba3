import { expect, it } from 'vitest';
import type { FollowUpCause } from '../pipeline/follow-up-cause.ts';
import { exceedsRounds, roundsSoFar } from './review-rounds.ts';

const review = (by_bot: boolean, round = 1): FollowUpCause => {
  return { kind: 'review', review_id: 'review-5', round, by_bot, remarks: [] };
};
const build: FollowUpCause = { kind: 'build', head_commit: 'c', round: 9, jobs: [] };

it('counts the rounds of people and of bots apart, and no others', () => {
  const causes = [null, build, { kind: 'comment' } as const, review(false), review(true), review(true)];
  expect(roundsSoFar(causes, false)).toBe(2);
  expect(roundsSoFar(causes, true)).toBe(2);
  expect(roundsSoFar(causes.slice(0, 4), true)).toBe(0);
});

it('lets a follow-up wait that is one too many, and none of another cause', () => {
  expect(exceedsRounds(review(false, 5), 5)).toBe(false);
  expect(exceedsRounds(review(false, 6), 5)).toBe(true);
  expect(exceedsRounds({ kind: 'comment', round: 1 }, 0)).toBe(true);
  expect(exceedsRounds({ kind: 'comment' }, 5)).toBe(false);
  expect(exceedsRounds(build, 5)).toBe(false);
  expect(exceedsRounds(null, 0)).toBe(false);
});
