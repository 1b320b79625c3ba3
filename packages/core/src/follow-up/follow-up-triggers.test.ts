import { expect, it } from 'vitest';
import type { HostedComment } from '../code-host/code-host.ts';
import { followUpTriggers } from './follow-up-triggers.ts';

const place = { path: 'src/sum.ts', line: 1, quote: null };
const rules = { since: new Date(0), reviewBots: [] };

function said(id: string, minute: number, more: Partial<HostedComment> = {}): HostedComment {
  const createdAt = new Date(minute * 60_000);
  const base = { id, author: 'ada', byWriter: true, body: `Do ${id}.`, url: `https://host.test/${id}`, createdAt };
  const reviewId = id.startsWith('review') ? id : null;
  return { ...base, byBot: false, place: null, reviewId, reviewState: null, inReplyTo: null, ...more };
}

const inShort = (comments: readonly HostedComment[]) =>
  followUpTriggers(comments, rules).map(({ key, comments: some }) => [key, ...some.map(({ id }) => id)]);

it('takes a review with its comments on lines for one ask, and each comment of the conversation for one of its own', () => {
  const inReview = { place, reviewId: 'review-5' };
  expect(
    inShort([
      said('line-1', 1, inReview),
      said('issue-1', 2),
      said('issue-2', 3),
      said('line-2', 4, inReview),
      said('review-5', 5),
      said('line-9', 6, { place, reviewId: 'review-6' }),
      said('line-10', 7, { place }),
    ]),
  ).toEqual([
    ['issue-1', 'issue-1'],
    ['issue-2', 'issue-2'],
    ['review-5', 'review-5', 'line-1', 'line-2'],
    ['review-6', 'line-9'],
    ['line-10', 'line-10'],
  ]);
});

it('leaves out of a review what asks for nothing, and a review of nothing else', () => {
  const inReview = { place, reviewId: 'review-5' };
  const stranger = { byWriter: false, place, reviewId: 'review-6' };
  expect(inShort([said('line-1', 1, { ...inReview, body: '👍' }), said('line-2', 1, inReview)])).toEqual([
    ['review-5', 'line-2'],
  ]);
  expect(inShort([said('line-3', 1, stranger), said('review-6', 1, { byWriter: false })])).toEqual([]);
});
