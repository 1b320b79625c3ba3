import type { SessionStore } from '@sluice/core/account';
import type { ApiTokenStore } from '@sluice/core/api-token';
import type { Clock, Timers } from '@sluice/core/async';
import type { EventLog, Issue, IssueStore, Signals } from '@sluice/core/issue';
import type { MemberStore } from '@sluice/core/member';
import { createAccessMonitor } from './access-monitor.ts';
import { createChannels } from './channels.ts';
import { followIssue, hasSeenAll } from './follow-issue.ts';
import { followUser, type UserStreamItem } from './follow-user.ts';
import { type IssueResume, knownPoint, knownSeq } from './known-position.ts';
import { createOpenStreams, type Reader } from './open-streams.ts';
import type { ResumePoint } from './resume-token.ts';
import { createSessionMonitor } from './session-monitor.ts';
import type { StreamItem } from './stream-item.ts';
import { createStreamSlots } from './stream-slots.ts';

/** Items for one reader, who takes them at their own pace. Iterating opens the stream. */
export interface EventStream<Item> extends AsyncIterable<Item> {
  /** Whether there is nothing to send and never will be. */
  readonly isOver: boolean;
}

/** Brings events to readers. Everything that streams of a process share belongs to this object. */
export interface IssueFeed {
  /** The sequence number after which a reader with that token goes on; 0 for a token that is unknown here. */
  knownSeq(issue: Issue, resume: IssueResume): Promise<number>;
  /** The point itself, or null when it is unknown here. */
  knownPoint(point: ResumePoint): Promise<ResumePoint | null>;
  /**
   * The events of an issue after sequence number `after`, with live text.
   *
   * @throws AppError `too_many_streams`
   */
  followIssue(issue: Issue, after: number, reader: Reader): EventStream<StreamItem>;
  /**
   * The events of all issues that the reader may see after `resume`; null: from now on.
   *
   * @throws AppError `too_many_streams`
   */
  followUser(resume: ResumePoint | null, reader: Reader): EventStream<UserStreamItem>;
  /** Ends every stream with `shutting_down`, and refuses new ones. */
  close(): void;
}

export interface FeedDeps {
  readonly issues: Pick<IssueStore, 'events' | 'get'>;
  readonly members: Pick<MemberStore, 'role' | 'rolesOf'>;
  readonly eventLog: EventLog;
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly apiTokens: Pick<ApiTokenStore, 'find'>;
  readonly signals: Signals;
  readonly clock: Clock;
  /** For the heartbeat; left out: those of the process. */
  readonly timers?: Pick<Timers, 'every'>;
}

export function createIssueFeed(deps: FeedDeps): IssueFeed {
  const { issues, members, eventLog, clock } = deps;
  const slots = createStreamSlots();
  const channels = createChannels(deps);
  const streams = createOpenStreams(createSessionMonitor(deps), createAccessMonitor(deps));
  return {
    knownSeq: (issue, resume) => knownSeq(eventLog, issue, resume),
    knownPoint: (point) => knownPoint(eventLog, point),
    followIssue: (issue, after, reader) => {
      if (hasSeenAll(issue, after)) return { isOver: true, async *[Symbol.asyncIterator]() {} };
      slots.take(reader);
      return opened(() => followIssue({ issues, members, eventLog, channels, streams }, { issue, after, reader }));
    },
    followUser: (resume, reader) => {
      slots.take(reader);
      return opened(() => followUser({ issues, members, eventLog, clock, channels, streams }, { resume, reader }));
    },
    close: streams.close,
  };
}

function opened<Item>(open: () => AsyncIterator<Item>): EventStream<Item> {
  return { isOver: false, [Symbol.asyncIterator]: open };
}
