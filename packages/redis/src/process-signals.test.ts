import type { LiveEvent } from '@sluice/core/issue';
import { signalsContract } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { createProcessSignals } from './process-signals.ts';

const hint = (issueId: string, seq = 1) => ({ issueId, userId: 'user', seq });
const delta = (issueId: string): LiveEvent => ({
  type: 'agent.delta',
  issue_id: issueId,
  at: '2026-11-20T09:15:00.000Z',
  data: { agent: 'coder', text: 'a' },
});

signalsContract('in process', async () => {
  const signals = createProcessSignals();
  return {
    speaker: signals,
    hearer: signals,
    settled: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
});

describe('signals in process', () => {
  it('calls the other listeners when one throws, and reports the error', () => {
    const faults: unknown[] = [];
    const signals = createProcessSignals((error) => faults.push(error));
    let heard = 0;
    const broken = new Error('broken listener');
    signals.subscribe('a', {
      onLive: () => {
        throw broken;
      },
    });
    signals.subscribe('a', {
      onLive: () => {
        heard += 1;
      },
    });
    signals.live(delta('a'));
    expect({ heard, faults }).toEqual({ heard: 1, faults: [broken] });
  });

  it('forgets a listener that has left, even during a call', () => {
    const signals = createProcessSignals();
    let heard = 0;
    const listener = {
      onEvents: () => {
        heard += 1;
        leave();
      },
    };
    const leave = signals.subscribe('a', listener);
    const leaveToo = signals.subscribe('a', listener);
    const leaveAll = signals.subscribe(null, {});
    expect(signals.listenerCount()).toBe(3);
    signals.eventsWritten(hint('a'));
    expect(heard).toBe(2);
    expect(signals.listenerCount()).toBe(2);
    leaveToo();
    leaveToo();
    leaveAll();
    expect(signals.listenerCount()).toBe(0);
  });
});
