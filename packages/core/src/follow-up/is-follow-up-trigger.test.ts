import { describe, expect, it } from 'vitest';
import { changeRequestStates } from '../code-host/change-request.ts';
import type { HostedComment } from '../code-host/code-host.ts';
import { issueMarker } from '../code-host/issue-marker.ts';
import { canBeFollowedUp, isFollowUpTrigger } from './is-follow-up-trigger.ts';

const comment: HostedComment = {
  id: 'issue-5',
  author: 'ada',
  byWriter: true,
  body: 'Rename it.',
  url: 'https://host.test/acme/sum/pull/12#issuecomment-5',
  createdAt: new Date('2026-11-20T09:15:00.000Z'),
  place: null,
  reviewId: null,
  byBot: false,
  reviewState: null,
  inReplyTo: null,
};
const before = { since: new Date('2026-11-20T09:00:00.000Z'), reviewBots: ['lint[bot]', 'Style'] };

describe('a comment', () => {
  it('of somebody who may write asks for a follow-up, also when it quotes a text of ours', () => {
    expect(isFollowUpTrigger(comment, before)).toBe(true);
    expect(isFollowUpTrigger({ ...comment, body: `Why?\n\n> ${issueMarker('x')}` }, before)).toBe(true);
  });

  it.each([
    ['of a stranger', { byWriter: false }],
    ['without a text', { body: ' \n\t' }],
    ['of a thumb alone', { body: '👍' }],
    ['that is our own', { body: `${issueMarker('x')}\nPublished.` }],
    ['that is our own, with blanks before it', { body: `\r\n ${issueMarker('x')}` }],
  ])('%s asks for nothing', (_name, overrides) => {
    expect(isFollowUpTrigger({ ...comment, ...overrides }, before)).toBe(false);
  });

  describe('of a bot', () => {
    const ofBot: HostedComment = {
      ...comment,
      author: 'lint[bot]',
      byWriter: false,
      byBot: true,
      reviewId: 'review-5',
    };

    it.each([
      ['in a review that only comments', { reviewState: 'commented' }],
      ['on a line', { place: { path: 'a.ts', line: 1, quote: null } }],
      ['whose login is written in another way', { author: 'LINT[bot]' }],
      ['that is named without its ending', { author: 'style[bot]' }],
    ] as const)('that the repository allows asks for a follow-up: %s', (_name, overrides) => {
      expect(isFollowUpTrigger({ ...ofBot, ...overrides }, before)).toBe(true);
    });

    it.each([
      ['that the repository does not name', { author: 'other[bot]' }],
      ['that may write, but is not named', { author: 'other[bot]', byWriter: true }],
      ['in the conversation', { reviewId: null }],
      ['that answers in a thread', { inReplyTo: 'line-1' }],
      ['that quotes our marker first', { body: `${issueMarker('x')}\nDone.` }],
    ])('%s asks for nothing', (_name, overrides) => {
      expect(isFollowUpTrigger({ ...ofBot, ...overrides }, before)).toBe(false);
    });

    it('is not taken for a person of the same name', () => {
      expect(isFollowUpTrigger({ ...ofBot, byBot: false, author: 'style' }, before)).toBe(false);
    });
  });

  it('counts from the second in which the issue was created: the host has no finer times', () => {
    const { createdAt } = comment;
    expect(isFollowUpTrigger(comment, { ...before, since: new Date(createdAt.getTime() + 999) })).toBe(true);
    expect(isFollowUpTrigger(comment, { ...before, since: new Date(createdAt.getTime() + 1_000) })).toBe(false);
  });
});

it('takes follow-ups on a pull request that is open or a draft', () => {
  expect(changeRequestStates.filter(canBeFollowedUp)).toEqual(['draft', 'open']);
});
