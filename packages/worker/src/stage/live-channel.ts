import type { Clock, Timers } from '@sluice/core/async';
import type { IssueId } from '@sluice/core/id';
import type { LiveEvent, Signals } from '@sluice/core/issue';

const INTERVAL_MS = 75; // looks smooth; more messages would only cost every reader
const MAX_TEXT_LENGTH = 8 * 1024; // per message; the rest is in the log or in the event that follows

type LiveText = LiveEvent extends infer E ? (E extends LiveEvent ? Pick<E, 'type' | 'data'> : never) : never;

/** Live text of one issue: batched every few dozen milliseconds, shortened when there is too much, never stored. */
export interface LiveChannel {
  add(event: LiveText): void;
  /** Sends pending text at once: call it before the durable event that follows, or readers get the two in the wrong order. */
  flush(): void;
}

export function openLiveChannel(
  deps: { signals: Signals; clock: Clock; timers: Timers },
  issueId: IssueId,
): LiveChannel {
  const pending = new Map<string, LiveText>();
  let cancel: (() => void) | null = null;

  function send(): void {
    cancel?.();
    cancel = null;
    const at = deps.clock.now().toISOString();
    const events = [...pending.values()];
    pending.clear();
    for (const event of events) deps.signals.live({ ...event, issue_id: issueId, at });
  }

  return {
    add(event) {
      const key = sourceOf(event);
      const text = ((pending.get(key)?.data.text ?? '') + event.data.text).slice(-MAX_TEXT_LENGTH);
      pending.set(key, withText(event, text.toWellFormed()));
      cancel ??= deps.timers.after(INTERVAL_MS, send);
    },
    flush: send,
  };
}

function sourceOf(event: LiveText): string {
  return event.type === 'agent.delta'
    ? `${event.type} ${event.data.agent}`
    : `${event.type} ${event.data.stream} ${event.data.command}`;
}

function withText(event: LiveText, text: string): LiveText {
  return event.type === 'agent.delta'
    ? { type: event.type, data: { ...event.data, text } }
    : { type: event.type, data: { ...event.data, text } };
}
