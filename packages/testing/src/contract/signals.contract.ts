import type { LiveEvent, Signals } from '@sluice/core/issue';
import { describe, expect, it } from 'vitest';
import { eventually } from '../wait/until.ts';

interface OpenSignals extends AsyncDisposable {
  /** The process that publishes, and the one that listens: two processes, or the same one twice. */
  readonly speaker: Signals;
  readonly hearer: Signals;
  /** Resolves when the current subscriptions of `hearer` have received a signal. */
  settled(): Promise<void>;
}

const hint = (issueId: string, seq = 1) => ({ issueId, userId: 'user', seq });
const delta = (issueId: string, text = 'a'): LiveEvent => ({
  type: 'agent.delta',
  issue_id: issueId,
  at: '2026-11-20T09:15:00.000Z',
  data: { agent: 'coder', text },
});

/** The contract of all signals, within a process and between processes. */
export function signalsContract(name: string, open: () => Promise<OpenSignals>): void {
  describe(`signals ${name}`, () => {
    it('notify a listener of one issue, and a listener of all issues', async () => {
      await using signals = await open();
      const heard: string[] = [];
      signals.hearer.subscribe('a', { onEvents: ({ issueId, seq }) => heard.push(`a hears ${issueId} ${seq}`) });
      signals.hearer.subscribe(null, { onEvents: ({ issueId, seq }) => heard.push(`all hear ${issueId} ${seq}`) });
      await signals.settled();
      heard.length = 0; // hints to look again are allowed at any time
      signals.speaker.eventsWritten(hint('a', 7));
      signals.speaker.eventsWritten(hint('b', 8));
      await eventually(() => expect(heard).toEqual(['a hears a 7', 'all hear a 7', 'all hear b 8']));
    });

    it('pass on live text of an issue that is followed, in order', async () => {
      await using signals = await open();
      const heard: string[] = [];
      signals.hearer.subscribe('a', { onLive: (event) => heard.push(event.data.text) });
      await signals.settled();
      for (const text of ['one', 'two', 'three']) signals.speaker.live(delta('a', text));
      signals.speaker.live(delta('b', 'of another'));
      await eventually(() => expect(heard).toEqual(['one', 'two', 'three']));
    });

    it('notify all listeners of an ended session', async () => {
      await using signals = await open();
      const heard: string[] = [];
      signals.hearer.subscribe('a', { onSessionEnded: (id) => heard.push(`a ${id}`) });
      signals.hearer.subscribe(null, { onSessionEnded: (id) => heard.push(`all ${id}`) });
      await signals.settled();
      signals.speaker.sessionEnded('s');
      await eventually(() => expect(heard).toEqual(['a s', 'all s']));
    });

    it('stop for a listener that has left, and continue for others', async () => {
      await using signals = await open();
      const heard: string[] = [];
      const leave = signals.hearer.subscribe('a', { onLive: () => heard.push('left') });
      signals.hearer.subscribe('a', { onLive: () => heard.push('stays') });
      await signals.settled();
      leave();
      leave();
      signals.speaker.live(delta('a'));
      await eventually(() => expect(heard).toEqual(['stays']));
    });

    it('reach a speaker’s own listeners once', async () => {
      await using signals = await open();
      const own: number[] = [];
      const other: number[] = [];
      signals.speaker.subscribe('a', { onEvents: ({ seq }) => own.push(seq) });
      signals.hearer.subscribe('a', { onEvents: ({ seq }) => other.push(seq) });
      await signals.settled();
      own.length = 0;
      other.length = 0;
      signals.speaker.eventsWritten(hint('a', 1));
      signals.speaker.eventsWritten(hint('a', 2));
      await eventually(() => expect(other).toEqual([1, 2]));
      expect(own).toEqual([1, 2]);
    });
  });
}
