import { systemTimers } from '@sluice/core/async';
import type { IssueId } from '@sluice/core/id';
import type { LiveEvent } from '@sluice/core/issue';
import { until } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { openLiveChannel } from './live-channel.ts';

function channel() {
  const sent: LiveEvent[] = [];
  const live = openLiveChannel(
    {
      clock: { now: () => new Date('2026-11-20T09:15:00.000Z') },
      timers: systemTimers,
      signals: {
        live: (event) => sent.push(event),
        eventsWritten: () => undefined,
        sessionEnded: () => undefined,
        accessChanged: () => undefined,
        subscribe: () => () => undefined,
      },
    },
    'issue-1' as IssueId,
  );
  return { live, sent };
}

const output = (text: string, stream: 'stdout' | 'stderr' = 'stdout') =>
  ({ type: 'command.output', data: { command: 'make', stream, text } }) as const;

describe('live text', () => {
  it('is sent together, one message per source', async () => {
    const { live, sent } = channel();
    for (let i = 0; i < 1000; i += 1) live.add(output('.'));
    live.add(output('!', 'stderr'));
    live.add({ type: 'agent.delta', data: { agent: 'coder', text: 'Hm' } });
    live.add({ type: 'agent.delta', data: { agent: 'coder', text: 'm' } });
    expect(sent).toEqual([]);
    await until('it was sent', () => sent.length > 0);
    const at = '2026-11-20T09:15:00.000Z';
    expect(sent).toEqual([
      { issue_id: 'issue-1', at, ...output('.'.repeat(1000)) },
      { issue_id: 'issue-1', at, ...output('!', 'stderr') },
      { issue_id: 'issue-1', at, type: 'agent.delta', data: { agent: 'coder', text: 'Hmm' } },
    ]);
  });

  it('is shortened to its end when it floods', () => {
    const { live, sent } = channel();
    for (let i = 0; i < 100; i += 1) live.add(output('x'.repeat(1000)));
    live.add(output('end'));
    live.flush();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.data.text).toHaveLength(8 * 1024);
    expect(sent[0]?.data.text.endsWith('xend')).toBe(true);
  });

  it('sends what waits when it is flushed, and nothing when nothing waits', () => {
    const { live, sent } = channel();
    live.add(output('last words'));
    live.flush();
    live.flush();
    expect(sent).toHaveLength(1);
  });
});
