import type { Issue, IssueEvent, IssueId, IssueStore, LiveEvent, Signals } from '@sluice/core';

/** As many as a stream reads at once. */
const PAGE = 100;
/** So far behind is a reader who is a little slow; as many are held of every issue that is followed, as rows and as bytes. */
const KEPT = 20;
/** More wait only behind a store that does not answer; streams bound what waits for each of them. */
const MAX_WAITING = 1_000;

type Reads = Pick<IssueStore, 'events' | 'get'>;

export interface BroadcastListener {
  /** What was written, in order. It may be behind what the listener has seen, or not follow upon it. */
  onEvents(events: readonly IssueEvent[]): void;
  /** There may be events up to `seq` that the listener has to read. */
  onHint(seq: number): void;
  onLive(event: LiveEvent): void;
}

/** What is new of an issue, read from the store once for all streams that follow it. Every stream is given the same objects. */
export interface IssueBroadcast {
  /** The events behind `after`, up to `upTo` and at most `limit`. */
  read(range: { after: number; upTo: number; limit: number }): Promise<readonly IssueEvent[]>;
  /** The same by a question that another stream may have asked already: for who has listened since before it. */
  readWithOthers(after: number, limit: number): Promise<readonly IssueEvent[]>;
  /** The issue as it is when event `seen` was written, or later: another who has seen as much may have asked already. */
  issueAfter(seen: number): Promise<Issue | null>;
  /** To be called once by every stream, when it ends. */
  close(): void;
}

interface Channel {
  readonly issueId: IssueId;
  readonly issues: Reads;
  readonly listeners: Set<BroadcastListener>;
  /** The newest that were read, without a gap: they are never changed, so they stay true. */
  kept: readonly IssueEvent[];
  /** Up to where the listeners were told; null: nothing yet. */
  told: number | null;
  /** In the order in which it was heard: sequence numbers, and live text. */
  readonly waiting: (number | LiveEvent)[];
  isReading: boolean;
  readonly reads: Map<number, Promise<readonly IssueEvent[]>>;
  readonly looks: Map<number, Promise<Issue | null>>;
  readonly stopListening: () => void;
}

const channels = new WeakMap<Signals, Map<IssueId, Channel>>();

/** Opened by each stream that follows an issue; the last one to close ends it. */
export function openBroadcast(
  ctx: { signals: Signals; issues: Reads },
  issueId: IssueId,
  listener: BroadcastListener,
): IssueBroadcast {
  const byIssue = channels.get(ctx.signals) ?? new Map<IssueId, Channel>();
  channels.set(ctx.signals, byIssue);
  const channel = byIssue.get(issueId) ?? listen(ctx, issueId);
  byIssue.set(issueId, channel);
  channel.listeners.add(listener);
  return {
    read: async ({ after, upTo, limit }) =>
      found(channel.kept, after, Math.min(upTo, after + limit)) ?? ctx.issues.events(issueId, { after, limit }),
    readWithOthers: (after, limit) => {
      const { reads } = channel;
      const asked = reads.get(after) ?? ctx.issues.events(issueId, { after, limit }).finally(() => reads.delete(after));
      reads.set(after, asked);
      return asked;
    },
    issueAfter: (seen) => {
      const { looks } = channel;
      const asked = looks.get(seen) ?? ctx.issues.get(issueId).finally(() => looks.delete(seen));
      looks.set(seen, asked);
      return asked;
    },
    close: () => {
      channel.listeners.delete(listener);
      if (channel.listeners.size > 0 || byIssue.get(issueId) !== channel) return;
      byIssue.delete(issueId);
      channel.stopListening();
    },
  };
}

function listen({ signals, issues }: { signals: Signals; issues: Reads }, issueId: IssueId): Channel {
  const hear = (what: number | LiveEvent) => {
    channel.waiting.push(what);
    if (channel.waiting.length > MAX_WAITING) passOn(channel);
    else tellAll(channel);
  };
  const channel: Channel = {
    issueId,
    issues,
    listeners: new Set(),
    kept: [],
    told: null,
    waiting: [],
    isReading: false,
    reads: new Map(),
    looks: new Map(),
    stopListening: signals.subscribe(issueId, { onEvents: ({ seq }) => hear(seq), onLive: hear }),
  };
  return channel;
}

/** Tells what waits, in its order. What has to be read first holds up what was heard after it. */
function tellAll(channel: Channel): void {
  while (!channel.isReading) {
    const what = channel.waiting.shift();
    if (what === undefined) return;
    if (typeof what === 'number') tellWritten(channel, what);
    else for (const listener of channel.listeners) listener.onLive(what);
  }
}

function tellWritten(channel: Channel, upTo: number): void {
  const { told, listeners } = channel;
  if (told !== null && upTo <= told) return;
  if (told === null || upTo - told > PAGE) {
    // From where on is not known, or it is a page and more: each reads what it lacks, at its own pace. While no hints
    // come from other processes, the signals say "look" alone: without an end, so nothing is told by it.
    if (Number.isFinite(upTo)) channel.told = upTo;
    for (const listener of listeners) listener.onHint(upTo);
    return;
  }
  channel.isReading = true;
  const done = () => {
    channel.isReading = false;
    tellAll(channel);
  };
  readNew(channel, told, upTo).then(done, done);
}

async function readNew(channel: Channel, after: number, upTo: number): Promise<void> {
  const { issueId, issues, listeners } = channel;
  let events: readonly IssueEvent[] = [];
  try {
    events = await issues.events(issueId, { after, limit: upTo - after });
  } catch {
    // Each stream will ask by itself, and be told by itself what is wrong.
  }
  const last = events.at(-1)?.seq ?? after;
  channel.told = last;
  if (events.length > 0) {
    const isNext = channel.kept.at(-1)?.seq === after;
    channel.kept = (isNext ? [...channel.kept, ...events] : events).slice(-KEPT);
    for (const listener of listeners) listener.onEvents(events);
  }
  if (last < upTo) for (const listener of listeners) listener.onHint(upTo);
}

/** The store does not answer: what waits goes to the streams, which bound what they hold and let go of slow readers. */
function passOn({ waiting, listeners }: Channel): void {
  for (const what of waiting.splice(0)) {
    for (const listener of listeners) {
      if (typeof what === 'number') listener.onHint(what);
      else listener.onLive(what);
    }
  }
}

/** What is kept behind `after` up to `upTo`; null unless that is all of it. */
function found(kept: readonly IssueEvent[], after: number, upTo: number): readonly IssueEvent[] | null {
  const first = kept[0]?.seq ?? Number.POSITIVE_INFINITY;
  const last = kept.at(-1)?.seq ?? 0;
  return after + 1 < first || upTo > last ? null : kept.slice(after + 1 - first, upTo + 1 - first);
}
