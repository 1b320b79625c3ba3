import { createIssueFeed, resumeToken } from '@sluice/api/feed';
import { callerOf } from '@sluice/core/access';
import type { Session } from '@sluice/core/account';
import type { UserId } from '@sluice/core/id';
import type { Issue, IssueEvent } from '@sluice/core/issue';
import type { Random } from './random.ts';
import type { SimProcess } from './sim-process.ts';
import { Violation } from './violation.ts';
import type { World } from './world.ts';

/** Readers of streams, who lose their connection now and then and resume after the last event that they saw. */
export interface Readers {
  followIssue(issue: Issue): void;
  followUser(userId: UserId): void;
  /** Breaks the connection of one of them. */
  disconnect(): void;
  /** From here on no signal is lost. */
  faultsStopped(rows: readonly ReadRow[]): void;
  /** Breaks all connections and has all read to the end. @throws Violation when one missed something */
  finish(rows: readonly ReadRow[]): Promise<void>;
  close(): void;
}

interface ReadRow {
  readonly id: string;
  readonly user_id: string;
  readonly last_seq: number;
}

interface OneReader {
  readonly name: string;
  /** The issue or the user that it follows. */
  readonly of: string;
  gone: AbortController;
  /** The number of the last event that arrived, by issue. */
  readonly last: Map<string, number>;
  connect(): Promise<void>;
  fault: unknown;
}

export function createReaders(
  api: SimProcess,
  world: Pick<World, 'stores' | 'clock' | 'signalsOf' | 'oracle' | 'settle'>,
  random: Random,
): Readers {
  const { stores, clock } = world;
  const session = (userId: UserId): Session => ({
    id: `session of ${userId}` as Session['id'],
    userId,
    createdAt: clock.now(),
    expiresAt: new Date(clock.now().getTime() + 30 * 86_400_000),
    lastSeenAt: clock.now(),
    idleEndsAt: null,
    client: null,
    mustEnroll: false,
    oidcIssuer: null,
  });
  const reads = { share: 0.25 };
  const feed = createIssueFeed({
    issues: api.wrap('feed', stores.issues, reads),
    members: api.wrap('feed', stores.members, reads),
    eventLog: api.wrap('feed', stores.eventLog, reads),
    sessions: {
      find: async (id) => ({ session: session(String(id).replace('session of ', '') as UserId), user: {} as never }),
    },
    apiTokens: { find: async () => null },
    signals: world.signalsOf(api),
    clock,
    timers: { every: () => () => undefined }, // readers reconnect instead: a beat four times a second is mostly steps
  });
  const readers: OneReader[] = [];
  const users = new Set<string>();
  /** The newest event of each issue when the faults stopped. */
  const atCalm = new Map<string, number>();

  function start(of: string, connect: (reader: OneReader, last: { id: string | null }) => Promise<void>): void {
    const last: { id: string | null } = { id: null };
    const reader: OneReader = {
      name: `the reader of ${of.slice(-4)}`,
      of,
      gone: new AbortController(),
      last: new Map(),
      fault: null,
      connect: () =>
        connect(reader, last).catch((error: unknown) => {
          reader.fault ??= error;
        }),
    };
    readers.push(reader);
    void reader.connect();
  }

  function take(reader: OneReader, event: IssueEvent): void {
    const before = reader.last.get(event.issue_id) ?? 0;
    if (event.seq !== before + 1) {
      throw new Violation(`${reader.name} got event ${event.seq} of ${event.issue_id.slice(-4)} after ${before}`);
    }
    world.oracle.onRead(event);
    reader.last.set(event.issue_id, event.seq);
  }

  function check({ name, of, last, fault }: OneReader, rows: readonly ReadRow[]): void {
    if (fault !== null) throw fault;
    for (const { id, user_id, last_seq } of rows) {
      if (id !== of && user_id !== of) continue;
      const seen = last.get(id) ?? 0;
      if (seen !== last_seq) throw new Violation(`${name} saw ${seen} of ${last_seq} events of ${id.slice(-4)}`);
    }
  }

  function reconnect(reader: OneReader): void {
    reader.gone.abort();
    reader.gone = new AbortController();
    void reader.connect();
  }

  const asReader = (reader: OneReader, userId: UserId) => ({
    caller: callerOf(userId),
    session: session(userId),
    gone: reader.gone.signal,
    hangUp: () => undefined,
  });

  return {
    followIssue(issue) {
      start(issue.id, async (reader) => {
        const gone = reader.gone.signal;
        const now = await stores.issues.get(issue.id);
        if (now === null || gone.aborted) return;
        const after = reader.last.get(issue.id) ?? 0;
        for await (const { event } of feed.followIssue(now, after, asReader(reader, issue.userId))) {
          if ('seq' in event) take(reader, event);
        }
      });
    },
    faultsStopped(rows) {
      for (const { id, last_seq } of rows) atCalm.set(id, last_seq);
    },
    followUser(userId) {
      users.add(userId);
      start(userId, async (reader, last) => {
        const resume = resumeToken.parse(last.id ?? '0');
        for await (const { id, event } of feed.followUser(resume, asReader(reader, userId))) {
          if (!('seq' in event)) continue;
          take(reader, event);
          last.id = id;
        }
      });
    },
    disconnect() {
      if (readers.length === 0) return;
      reconnect(random.pick(readers));
    },
    async finish(rows) {
      // Events of the calm were signalled, so the streams of users, which do not end, had to bring them by themselves.
      const signalled = rows.filter(({ id, last_seq }) => last_seq > (atCalm.get(id) ?? 0));
      for (const reader of readers) if (users.has(reader.of)) check(reader, signalled);
      for (const reader of readers) reconnect(reader);
      await world.settle();
      for (const reader of readers) check(reader, rows);
    },
    close() {
      for (const { gone } of readers) gone.abort();
      feed.close();
    },
  };
}
