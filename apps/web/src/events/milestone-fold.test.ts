import type { IssueEvent } from '@sluice/client';
import { expect, it } from 'vitest';
import type { FeedState } from './issue-feed.ts';
import { noLiveText } from './live-text.ts';
import { createMilestoneFold } from './milestone-fold.ts';

const read = { type: 'agent.message', data: { agent: 'coder', text: 'I read the file.' } };
const note = (text: string) => ({ type: 'user.message', data: { text } });

function feedOf(events: readonly object[], more: Partial<FeedState> = {}): FeedState {
  const at = '2026-11-20T09:15:00.000Z';
  const all = events.map((event, index) => ({ seq: index + 1, issue_id: 'i', at, ...event }) as unknown as IssueEvent);
  const rest = { connection: 'open', error: null, live: noLiveText } as const;
  return { events: all, count: all.length, history: 1, phase: 'following', ...rest, ...more };
}

it('is the same object until a decision or a note is new', () => {
  const fold = createMilestoneFold();
  const first = fold(feedOf([note('one')]));
  expect(fold(feedOf([note('one'), read, read]))).toBe(first);
  const second = fold(feedOf([note('one'), read, read, note('two')]));
  expect(second.notes.map(({ text }) => text)).toEqual(['one', 'two']);
});

it('shows nothing of a history that is not read to its end', () => {
  const fold = createMilestoneFold();
  expect(fold(feedOf([note('one')], { phase: 'loading' })).notes).toEqual([]);
  expect(fold(feedOf([note('one')])).notes).toHaveLength(1);
});

it('forgets the history that a restore has replaced', () => {
  const fold = createMilestoneFold();
  fold(feedOf([note('lost'), note('lost too')]));
  expect(fold(feedOf([note('restored')], { history: 2 })).notes.map(({ text }) => text)).toEqual(['restored']);
});
