import type { IssueEvent } from '@sluice/client';
import { expect, it } from 'vitest';
import { beginning, judgeMessage, resumeAfter } from './stream-position.ts';

const event = (seq: number, at = '2026-11-20T09:00:00.000Z') =>
  ({ seq, at, issue_id: 'i', type: 'agent.message', data: { agent: 'coder', text: '' } }) as IssueEvent;

it('starts a stream one event early while it does not know the name of its place', () => {
  expect(resumeAfter(beginning)).toBeUndefined();
  expect(resumeAfter({ seq: 7, token: null, at: null })).toBe(6);
  expect(resumeAfter({ seq: 7, token: '2:7', at: null })).toBe('2:7');
});

it('takes an event once', () => {
  const position = { seq: 7, token: '7', at: event(7).at };
  expect(judgeMessage(position, '7', event(7))).toBe('repeated');
  expect(judgeMessage(position, '8', event(8))).toBe('next');
});

it('notices a restore by another name of the history', () => {
  expect(judgeMessage({ seq: 7, token: '7', at: null }, '2:1', event(1))).toBe('other_history');
  expect(judgeMessage({ seq: 7, token: '2:7', at: null }, '3:8', event(8))).toBe('other_history');
});

it('notices a restore by the repeated event before it knows a name', () => {
  const position = { seq: 7, token: null, at: event(7).at };
  expect(judgeMessage(position, '2:7', event(7))).toBe('repeated');
  expect(judgeMessage(position, '2:7', event(7, '2026-11-21T00:00:00.000Z'))).toBe('other_history');
  expect(judgeMessage(position, '2:1', event(1, '2026-11-19T00:00:00.000Z'))).toBe('other_history');
});
