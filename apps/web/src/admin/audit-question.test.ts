import { expect, it } from 'vitest';
import { auditQuestion } from './audit-question.ts';

const USER = '019ac0de-0000-7000-8000-000000000001';

it('asks for whole days, one account and one action', () => {
  expect(auditQuestion({ user: USER, action: 'issue.decided', from: '2026-11-20', to: '2026-11-21' })).toEqual({
    user_id: USER,
    action: 'issue.decided',
    from: '2026-11-20T00:00:00.000Z',
    to: '2026-11-22T00:00:00.000Z',
  });
});

it('leaves out what the server would refuse', () => {
  expect(auditQuestion({ user: 'ada', action: 'issue.eaten' })).toEqual({});
});
