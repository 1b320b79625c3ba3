import type { IssueEvent } from '@sluice/client';
import { expect, it } from 'vitest';
import { foldMilestones, NO_MILESTONES } from './fold-milestones.ts';

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
