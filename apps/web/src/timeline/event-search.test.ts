import type { IssueEvent } from '@sluice/client';
import { expect, it } from 'vitest';
import { searchPattern } from '../format/search-pattern.ts';
import { createEventSearch, eventText } from './event-search.ts';

const event = (seq: number, type: IssueEvent['type'], data: object) =>
  ({ seq, at: '', issue_id: 'i', type, data }) as IssueEvent;
const events = [
  event(1, 'agent.message', { agent: 'coder', text: 'The Sum is wrong.' }),
  event(2, 'agent.tool_call', {
    call_id: 'a',
    tool: 'edit_file',
    input: { path: 'src/sum.ts', lines: [{ text: 'a' }] },
  }),
  event(3, 'agent.tool_result', { call_id: 'a', ok: true, summary: 'sum edited' }),
  event(4, 'command.started', { command: 'npm test' }),
];

function readAll(search: ReturnType<typeof createEventSearch>, count: number) {
  const steps = search.read(events, count);
  while (steps.next().done !== true);
  return [...search.found];
}

it('finds events by any of their texts, under the row that shows them', () => {
  const search = createEventSearch(searchPattern('sum')!, (seq) => (seq === 3 ? 2 : seq));
  expect(readAll(search, 4)).toEqual([1, 2]);
});

it('reads on where it was when events come', () => {
  const search = createEventSearch(searchPattern('npm')!, (seq) => seq);
  expect(readAll(search, 3)).toEqual([]);
  expect(readAll(search, 4)).toEqual([4]);
});

it('reads the texts inside the arguments of a call', () => {
  expect(eventText(events[1]!)).toBe('edit_file src/sum.ts\na');
});
