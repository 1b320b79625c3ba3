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
const before = new Date('2026-11-20T09:00:00.000Z');

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

  it('counts from the second in which the issue was created: the host has no finer times', () => {
    const { createdAt } = comment;
    expect(isFollowUpTrigger(comment, new Date(createdAt.getTime() + 999))).toBe(true);
    expect(isFollowUpTrigger(comment, new Date(createdAt.getTime() + 1_000))).toBe(false);
  });
});

it('takes follow-ups on a pull request that is open or a draft', () => {
  expect(changeRequestStates.filter(canBeFollowedUp)).toEqual(['draft', 'open']);
});
