import type { IssueEvent } from '@sluice/client';
import { expect, it } from 'vitest';
import { createMilestoneFold, type Decided, decidedFirst, foldMilestones, NO_MILESTONES } from './fold-milestones.ts';
import type { FeedState } from './issue-feed.ts';
import { noLiveText } from './live-text.ts';

const at = '2026-11-20T09:15:00.000Z';

function history(...events: readonly object[]): IssueEvent[] {
  return events.map((event, index) => ({ seq: index + 1, issue_id: 'i', at, ...event }) as unknown as IssueEvent);
}

const started = { type: 'stage.started', data: { stage: 'implement', agent: 'coder', attempt: 1 } };
const answer = { type: 'agent.message', data: { agent: 'coder', text: 'I read the file.' } };
const call = { type: 'agent.tool_call', data: { agent: 'coder', call_id: 'c', tool: 'read_file', input: {} } };
const returned = { type: 'agent.tool_result', data: { agent: 'coder', call_id: 'c', tool: 'read_file', ok: true } };

it('tells at which turn the agent saw a note', () => {
  const events = history(
    started,
    answer,
    call,
    returned,
    { type: 'user.message', data: { text: 'Leave the API.' } },
    call,
    returned,
    { type: 'note.read', data: { agent: 'coder', seq: 5 } },
  );
  const { notes } = foldMilestones(NO_MILESTONES, events);
  expect(notes).toEqual([{ seq: 5, at, text: 'Leave the API.', seen: { agent: 'coder', turn: 3 } }]);
});

it('leaves a note unread until an agent reads that very one', () => {
  const events = history(
    { type: 'user.message', data: { text: 'one' } },
    { type: 'user.message', data: { text: 'two' } },
    { type: 'note.read', data: { agent: 'coder', seq: 1 } },
  );
  expect(foldMilestones(NO_MILESTONES, events).notes.map(({ seen }) => seen?.turn ?? null)).toEqual([1, null]);
});

const decided = (more: Partial<Decided> = {}): Decided => ({
  seq: 9,
  at: '2026-11-20T09:15:00.000Z',
  action: 'approve',
  revision: 2,
  guidance: null,
  userId: 'ada',
  on: 'plan',
  ...more,
});

it('finds the decision on the gate that was seen, and no earlier one', () => {
  const gate = { kind: 'publish', revision: 2, requestedAt: '2026-11-20T10:00:00.000Z' } as const;
  const before = decided({ on: 'publish' });
  const since = decided({ on: 'publish', seq: 20, at: '2026-11-20T10:05:00.000Z' });
  expect(decidedFirst([before], gate)).toBeUndefined();
  expect(decidedFirst([before, since, decided()], gate)).toBe(since);
});

it('tells decisions on the plan from those on the publication', () => {
  const decided = {
    type: 'review.decided',
    data: { revision: 1, action: 'approve', guidance: null, user_id: 'u' },
  };
  const publishing = { type: 'stage.started', data: { stage: 'publish', agent: 'service', attempt: 1 } };
  const { decisions } = foldMilestones(NO_MILESTONES, history(decided, started, publishing, decided));
  expect(decisions.map(({ on }) => on)).toEqual(['plan', 'publish']);
});

it('comes to the same whether the history is read at once or in pieces', () => {
  const events = history(started, answer, returned, answer, { type: 'user.message', data: { text: 'x' } });
  const inPieces = events.reduce((state, event) => foldMilestones(state, [event]), NO_MILESTONES);
  expect(inPieces).toEqual(foldMilestones(NO_MILESTONES, events));
});

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
