import type { IssueStatus } from '@sluice/client';
import { expect, it } from 'vitest';
import { hasEnded } from './has-ended.ts';

const going: readonly IssueStatus[] = ['pending', 'running', 'human_review', 'awaiting_approval'];
const ended: readonly IssueStatus[] = ['completed', 'rejected', 'failed', 'cancelled'];

it('tells issues that have ended from those that go on', () => {
  expect([...going, ...ended].filter(hasEnded)).toEqual(ended);
});
