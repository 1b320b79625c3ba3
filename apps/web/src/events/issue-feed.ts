import type { Connection, IssueEvent, SluiceClient } from '@sluice/client';
import { historyPages } from './history-pages.ts';
import { type LiveText, noLiveText, withLiveText } from './live-text.ts';
import { beginning, judgeMessage, resumeAfter, type StreamPosition } from './stream-position.ts';

/** The known events of an issue at one moment. */
export interface FeedState {
  /** All events so far, oldest first. The same array grows: `count` says how much of it belongs to this state. */
  readonly events: readonly IssueEvent[];
  readonly count: number;
  /** Another number for each history: after a restore from a backup, all events are new ones. */
  readonly history: number;
  /** `loading` until the history is read; `following` while more may come; `ended` when the issue has. */
  readonly phase: 'loading' | 'following' | 'ended';
  readonly connection: Connection;
  /** Why nothing more comes, when the server refused. */
  readonly error: unknown;
  readonly live: LiveText;
}

export interface IssueFeed {
  state(): FeedState;
  subscribe(listener: () => void): () => void;
  /** Reads on from the last event, for as long as anybody follows. @returns what ends that */
  follow(): () => void;
  /** Reads on where reading had ended, by the end of the issue or by an error. */
  resume(): void;
  /** Reads what is stored beyond the last event, once. Who follows has it anyway. */
  catchUp(): void;
}

export interface FeedDeps {
  readonly client: Pick<SluiceClient, 'issues'>;
  /** Runs a task before the next frame is drawn: never in a hidden tab, at most once a frame. */
  readonly onFrame: (task: () => void) => void;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Whether an error may go away by itself. */
  readonly isTransient: (error: unknown) => boolean;
}

const BACKOFF_MS = 3_000;

/**
 * All events of one issue: its history in pages, then the live stream, in order, each once. Listeners are called at most
 * once a frame, however many events arrive.
 */
export function createIssueFeed(id: string, { client, onFrame, wait, isTransient }: FeedDeps): IssueFeed {
  const listeners = new Set<() => void>();
  let events: IssueEvent[] = [];
  let position: StreamPosition = beginning;
  let state: FeedState = {
    events,
    count: 0,
    history: 1,
    phase: 'loading',
    connection: 'connecting',
    error: null,
    live: noLiveText,
  };
  let next: FeedState = state;
  let current: AbortController | null = null;
  let followers = 0;
  let isBehind = false; // more has happened while what is stored was being read

  function change(part: Partial<FeedState>): void {
    const isFirst = next === state;
    next = { ...next, ...part };
    if (isFirst) onFrame(publish);
  }

  function publish(): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function take(event: IssueEvent, token: string | null): void {
    events.push(event);
    position = { seq: event.seq, token, at: event.at };
    change({ count: events.length, live: withLiveText(next.live, event) });
  }

  function startOver(): void {
    events = [];
    position = beginning;
    change({ events, count: 0, history: next.history + 1, live: noLiveText });
  }

  async function readHistory(signal: AbortSignal): Promise<void> {
    for await (const page of historyPages(client, { id, after: position.seq }, { signal })) {
      signal.throwIfAborted();
      for (const event of page) take(event, null);
    }
  }

  /** After a restore from a backup the last event is not that of the history any more: all of it is read again. */
  async function readBeyondLast(signal: AbortSignal): Promise<void> {
    const { seq, at } = position;
    if (seq > 0) {
      const again = await client.issues.history.query({ id, after: seq - 1, limit: 1 }, { signal });
      const [last] = again.items;
      if (last?.seq !== seq || last.at !== at) startOver();
    }
    await readHistory(signal);
  }

  function readStream(signal: AbortSignal): Promise<void> {
    let end = () => {};
    const reading = new Promise<void>((resolve, reject) => {
      const after = resumeAfter(position);
      const subscription = client.issues.events.subscribe(after === undefined ? { id } : { id, after }, {
        onData({ id: token, data: event }) {
          if (signal.aborted) return;
          if (!('seq' in event)) return change({ live: withLiveText(next.live, event) });
          const judged = judgeMessage(position, token, event);
          if (judged === 'repeated') {
            if (event.seq === position.seq) position = { ...position, token: token ?? null };
            return;
          }
          if (judged === 'other_history') startOver();
          take(event, token ?? null);
        },
        onConnection: (connection) => change({ connection }),
        onComplete: resolve,
        onError: reject,
      });
      end = () => {
        subscription.unsubscribe();
        reject(signal.reason);
      };
    });
    signal.addEventListener('abort', end);
    // The signal outlives many streams while the server is down.
    return reading.finally(() => signal.removeEventListener('abort', end));
  }

  async function read(signal: AbortSignal): Promise<void> {
    change({ error: null, phase: next.phase === 'ended' ? 'following' : next.phase });
    for (;;) {
      try {
        if (next.phase === 'loading') await readHistory(signal);
        change({ phase: 'following' });
        await readStream(signal);
        return change({ phase: 'ended' });
      } catch (error) {
        if (signal.aborted) return;
        if (!isTransient(error)) return change({ error });
        change({ connection: 'lost' });
        await wait(BACKOFF_MS, signal);
        if (signal.aborted) return;
      }
    }
  }

  async function readOnce(signal: AbortSignal): Promise<void> {
    change({ error: null });
    for (;;) {
      try {
        await readBeyondLast(signal);
        return change({ phase: next.phase === 'loading' ? 'following' : next.phase });
      } catch (error) {
        if (signal.aborted) return;
        if (!isTransient(error)) return change({ error });
        await wait(BACKOFF_MS, signal);
        if (signal.aborted) return;
      }
    }
  }

  function begin(task: (signal: AbortSignal) => Promise<void>, then = () => {}): void {
    const reading = new AbortController();
    current = reading;
    void task(reading.signal).finally(() => {
      if (current !== reading) return;
      current = null;
      then();
    });
  }

  function resume(): void {
    if (current === null && followers > 0) begin(read);
  }

  function catchUp(): void {
    if (followers > 0) return;
    isBehind = current !== null;
    if (isBehind) return;
    begin(readOnce, () => {
      resume(); // somebody may follow by then
      if (isBehind) catchUp();
    });
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow() {
      followers += 1;
      resume();
      return () => {
        followers -= 1;
        if (followers > 0) return;
        current?.abort();
        current = null;
      };
    },
    resume,
    catchUp,
  };
}
