import type { IssueEvent } from '@sluice/client';
import { expect, it } from 'vitest';
import { createTimelineFold } from './fold-events.ts';
import { createRowLayout, type RowLayout, type TimelineView } from './row-layout.ts';

const closed: TimelineView = { open: new Set(), filter: 'all', found: null };
const at = '2026-11-20T09:00:00.000Z';

function example() {
  const fold = createTimelineFold();
  const events: [IssueEvent['type'], object][] = [
    ['stage.started', { stage: 'plan', agent: 'planner', attempt: 1 }],
    ['agent.message', { agent: 'planner', text: 'Reading.' }],
    ['agent.tool_call', { agent: 'planner', call_id: 'a', tool: 'search', input: {} }],
    ['agent.tool_result', { agent: 'planner', call_id: 'a', tool: 'search', ok: false, summary: '' }],
    ['user.message', { text: 'Mind the tests.' }],
    ['stage.completed', { stage: 'plan', agent: 'planner', attempt: 1, duration_ms: 1, usage: {}, detail: null }],
    ['plan.created', { plan: { revision: 1 } }],
    ['stage.started', { stage: 'test', agent: 'service', attempt: 1 }],
    ['command.started', { command: 'npm test' }],
    ['command.finished', { command: 'npm test', exit_code: 0, duration_ms: 1, text: '' }],
  ];
  events.forEach(([type, data], index) => {
    fold.take({ seq: index + 1, issue_id: 'i', at, type, data } as IssueEvent);
  });
  return fold;
}

const keys = (layout: RowLayout) => Array.from({ length: layout.count }, (_, index) => layout.row(index).key);

it('shows a closed stage as one row, with the notes of people under it', () => {
  expect(keys(createRowLayout()(example().items, closed))).toEqual([1, 5, 7, 8]);
});

it('shows all entries of an open stage', () => {
  const layout = createRowLayout()(example().items, { ...closed, open: new Set([1]) });
  expect(keys(layout)).toEqual([1, 2, 3, 5, 7, 8]);
  expect(layout.row(0).isOpen).toBe(true);
  expect(layout.row(5).isOpen).toBe(false);
});

it.each([
  ['messages', [1, 2, 5, 7]],
  ['commands', [8, 9]],
  ['failures', [1, 3]],
] as const)('shows only %s, under their stages', (filter, expected) => {
  expect(keys(createRowLayout()(example().items, { ...closed, filter }))).toEqual(expected);
});

it('shows only what the search found', () => {
  const found = new Set([3, 7]);
  expect(keys(createRowLayout()(example().items, { ...closed, found }))).toEqual([1, 3, 7]);
  expect(keys(createRowLayout()(example().items, { ...closed, found, filter: 'failures' }))).toEqual([1, 3]);
});

it('finds the row of an event, unless it is not shown', () => {
  const { items } = example();
  const layout = createRowLayout()(items, { ...closed, open: new Set([1]) });
  expect(layout.indexOf(0, 3)).toBe(2);
  expect(layout.indexOf(1, null)).toBe(4);
  expect(layout.indexOf(2, 9)).toBe(-1);
});

it('lays out again what has changed since', () => {
  const fold = example();
  const layOut = createRowLayout();
  const view: TimelineView = { ...closed, filter: 'commands' };
  expect(keys(layOut(fold.items, view))).toEqual([8, 9]);
  fold.take({ seq: 11, issue_id: 'i', at, type: 'command.started', data: { command: 'npm run lint' } });
  expect(keys(layOut(fold.items, view))).toEqual([8, 9, 11]);
});
