import type { Issue } from '@sluice/core/issue';
import { issueStatuses } from '@sluice/core/issue';
import type { RemarkAnswer, ReviewRemark } from '@sluice/core/pipeline';
import { NEW_PIPELINE, NOTHING_TO_DO, type PipelineState } from '@sluice/core/pipeline';
import { describe, expect, it } from 'vitest';
import { remarkReplies } from './remark-replies.ts';
import { renderRemarkReply } from './render-remark-answer.ts';

const HEAD = 'abc1234def5678';

function aRemark(id: string): ReviewRemark {
  const where = { thread: id, path: 'src/sum.ts', line: 3 };
  return { id, ...where, author: 'ada', url: `https://host.test/${id}`, text: 'Rename it.' };
}

const remarks = ['line-1', 'line-2', 'line-3', 'line-4'].map(aRemark);
const answers: RemarkAnswer[] = [
  { id: 'line-1', outcome: 'done', answer: 'Renamed it.' },
  { id: 'line-2', outcome: 'declined', answer: 'The API is public.' },
  { id: 'line-3', outcome: 'question', answer: 'Which name do you want?' },
  { id: 'line-9', outcome: 'done', answer: 'Of another one.' },
];
const pipeline: PipelineState = {
  ...NEW_PIPELINE,
  follow_up: { kind: 'review', review_id: 'review-5', round: 1, by_bot: false, remarks },
  remark_answers: answers,
};
const published = { branch: 'sluice/7', head_commit: HEAD } as Issue['result'];

const said = (issue: Partial<Issue>) =>
  remarkReplies({ status: 'completed', pipeline, result: null, error: null, ...issue }).map(
    (reply) => `${reply.remark.id} ${reply.end} ${renderRemarkReply(reply).replaceAll('\\', '')}`,
  );

describe('the answers to remarks', () => {
  it('are what the agent said of each, once the commit is pushed', () => {
    expect(said({ result: published })).toEqual([
      'line-1 done Done in abc1234def56: Renamed it.',
      'line-2 declined Declined: The API is public.',
      'line-3 question Not done yet: Which name do you want?',
      expect.stringMatching(/^line-4 question Not done yet: The agent said nothing about this remark/),
    ]);
  });

  it('name no commit where nothing had to change', () => {
    const result = { branch: null, head_commit: HEAD } as Issue['result'];
    expect(said({ result }).slice(0, 2)).toEqual([
      'line-1 done Answered: Renamed it.',
      'line-2 declined Declined: The API is public.',
    ]);
    expect(remarkReplies({ status: 'completed', pipeline, result, error: null }).map(({ commit }) => commit)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it.each([
    [{ status: 'rejected' }, 'declined Declined: A person rejected the plan for it.'],
    [{ status: 'cancelled' }, 'declined Declined: The work on it was cancelled.'],
    [{ status: 'failed', error: { stage: 'test', detail: 'The tests fail.' } }, 'failed Failed: The tests fail.'],
    [
      { status: 'failed', error: { stage: 'plan', detail: `${NOTHING_TO_DO}It is so.` } },
      'declined Declined: There is nothing to do: It is so.',
    ],
  ] as const)('say how the work ended: %j', (issue, text) => {
    expect(said(issue)).toEqual(remarks.map(({ id }) => `${id} ${text}`));
  });

  it('are none before the work has ended, and none where there are no remarks', () => {
    const statuses = issueStatuses.filter((status) => said({ status }).length === 0);
    expect(statuses).toEqual(['pending', 'running', 'human_review', 'awaiting_approval']);
    expect(said({ pipeline: NEW_PIPELINE, result: published })).toEqual([]);
    expect(said({ pipeline: { ...pipeline, follow_up: { kind: 'comment' } }, result: published })).toEqual([]);
  });

  it('hold no secret that an agent has seen', () => {
    const token = `ghp_${'a'.repeat(36)}`;
    const remark_answers: RemarkAnswer[] = [{ id: 'line-1', outcome: 'done', answer: `It is ${token}.` }];
    expect(said({ pipeline: { ...pipeline, remark_answers }, result: published })[0]).not.toContain(token);
  });
});
