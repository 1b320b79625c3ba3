import type { IssueEvent } from '@sluice/client';
import { expect, it } from 'vitest';
import type { FeedState } from '../events/issue-feed.ts';
import { noLiveText } from '../events/live-text.ts';
import { createLatestActivity } from './latest-activity.ts';

const event = (seq: number, type: string, data: object) =>
  ({ seq, type, data, at: `2026-11-20T09:00:0${seq}.000Z`, issue_id: 'an issue' }) as unknown as IssueEvent;

const started = event(1, 'stage.started', { stage: 'implement', agent: 'coder', attempt: 1 });
const called = event(2, 'agent.tool_call', {
  agent: 'coder',
  call_id: 'a',
  tool: 'read_file',
  input: { path: 'a.js' },
});
const answered = event(3, 'agent.tool_result', { agent: 'coder', call_id: 'a', ok: true, summary: '' });
const said = event(4, 'agent.message', { agent: 'coder', text: '\nFirst the test.\nThen the rest.' });
const ran = event(5, 'command.started', { command: 'npm test\n' });

const stateOf = (events: IssueEvent[], more: Partial<FeedState> = {}): FeedState => ({
  events,
  count: events.length,
  history: 1,
  phase: 'following',
  connection: 'connected' as FeedState['connection'],
  error: null,
  live: noLiveText,
  ...more,
});

it.each([
  ['coder started', [started]],
  ['coder: read_file a.js', [started, called]],
  ['coder: First the test.', [started, called, answered, said]],
  ['$ npm test', [started, said, ran]],
])('says "%s"', (text, events) => {
  expect(createLatestActivity()(stateOf(events))?.text).toBe(text);
});

it('has the time of the last event, also of one without words', () => {
  expect(createLatestActivity()(stateOf([started, called, answered]))).toEqual({
    text: 'coder: read_file a.js',
    at: answered.at,
  });
});

it('is the same object until an event is new, and another one in another history', () => {
  const latest = createLatestActivity();
  const first = latest(stateOf([started]));
  expect(latest(stateOf([started]))).toBe(first);
  expect(latest(stateOf([started, called]))).not.toBe(first);
  expect(latest(stateOf([started, said], { history: 2 }))?.text).toBe('coder: First the test.');
});

it('says nothing of half a history, or of none', () => {
  expect(createLatestActivity()(stateOf([started], { phase: 'loading' }))).toBeNull();
  expect(createLatestActivity()(stateOf([]))).toBeNull();
});
