import type { IssueStatus } from '@sluice/client';
import { expect, it } from 'vitest';
import { cancelWords, isCancellable, isDeletable } from './ending-words.ts';

const statuses: readonly IssueStatus[] = [
  'pending',
  'running',
  'human_review',
  'awaiting_approval',
  'completed',
  'rejected',
  'failed',
  'cancelled',
];

it('lets an issue be cancelled until it has ended, and deleted from then on', () => {
  expect(statuses.filter((status) => isCancellable({ status }))).toEqual(statuses.slice(0, 4));
  expect(statuses.filter((status) => isDeletable({ status }))).toEqual(statuses.slice(4));
});

it('says what is lost', () => {
  expect(cancelWords({ status: 'running' })).toMatch(/work of this round is lost.*cannot be retried/);
});
