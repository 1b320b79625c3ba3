import { expect, it } from 'vitest';
import type { Authorized } from '../access/authorized.ts';
import type { UserId } from '../id/id.ts';
import type { Issue } from '../issue/issue.ts';
import { explainClose } from './explain-close.ts';
import type { OutcomeStore } from './outcome-store.ts';

const issue = { id: 'i' } as Authorized<Issue, 'manage'>;
const userId = 'u' as UserId;
const answer = { reason: 'other', note: null, by: { userId, actor: { kind: 'operator' } } } as const;

function explain(found: object | null, outcome: object = { kind: 'not_closed' }) {
  const outcomes = { ofIssue: async () => found, answerClose: async () => outcome };
  return explainClose(
    { outcomes: outcomes as unknown as Pick<OutcomeStore, 'ofIssue' | 'answerClose'> },
    issue,
    answer,
  );
}

it('gives back the record with the reason', async () => {
  const record = { number: 9 };
  expect(await explain(record, { kind: 'answered', record })).toBe(record);
});

it('refuses a reason for what is not closed, and says what is missing', async () => {
  await expect(explain(null)).rejects.toMatchObject({ code: 'close_not_asked' });
  await expect(explain({ number: 9 })).rejects.toThrow('Pull request #9 is not closed');
});

it('refuses to replace the reason of another person, and says who gave it and when', async () => {
  const given = { userId: 'v', at: new Date(0), reason: 'duplicate', note: null };
  await expect(explain({ number: 9 }, { kind: 'answered_before', answer: given })).rejects.toMatchObject({
    code: 'close_explained',
    message: expect.stringContaining(
      'The user v said at 1970-01-01T00:00:00.000Z that the pull request was closed as `duplicate`',
    ),
  });
});
