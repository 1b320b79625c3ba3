import type { WatchedEvent } from '@sluice/client';
import { expect, it } from 'vitest';
import { noLiveText, withLiveText } from './live-text.ts';

const live = (type: string, data: object) =>
  ({ type, data, issue_id: 'i', at: '2026-11-20T09:00:00.000Z' }) as WatchedEvent;
const delta = (text: string, agent = 'coder') => live('agent.delta', { agent, text });
const output = (text: string) => live('command.output', { command: 'npm test', stream: 'stdout', text });

it('joins the pieces of an answer until the message is there', () => {
  const answering = [delta('The '), delta('sum')].reduce(withLiveText, noLiveText);
  expect(answering.answer).toEqual({ agent: 'coder', text: 'The sum' });
  expect(withLiveText(answering, live('agent.message', { agent: 'coder', text: 'The sum.' })).answer).toBeNull();
});

it('starts over when another agent answers', () => {
  expect([delta('a'), delta('b', 'reviewer')].reduce(withLiveText, noLiveText).answer?.text).toBe('b');
});

it('keeps the end of the output, however much there is', () => {
  const piece = output('x'.repeat(4_096));
  const written = [piece, piece, piece, output('end')].reduce(withLiveText, noLiveText);
  expect(written.output?.text).toHaveLength(8_192);
  expect(written.output?.text.endsWith('end')).toBe(true);
  expect(written.outputs).toBe(4);
});

it('forgets all live text when the stage ends', () => {
  const written = [delta('a'), output('b')].reduce(withLiveText, noLiveText);
  const ended = withLiveText(written, live('stage.failed', {}));
  expect([ended.answer, ended.output]).toEqual([null, null]);
});
