import type { SessionStore } from '@sluice/core/account';
import type { ApiTokenStore } from '@sluice/core/api-token';
import type { Clock, Timers } from '@sluice/core/async';
import type { EventLog, Issue, IssueStore, Signals } from '@sluice/core/issue';
import type { MemberStore } from '@sluice/core/member';
import { createAccessMonitor } from './access-monitor.ts';
import { createChannels } from './channels.ts';
import { followIssue, hasSeenAll } from './follow-issue.ts';
import { followUser, type UserStreamItem } from './follow-user.ts';
import { createOpenStreams, type Reader } from './open-streams.ts';
import type { IssueResumePoint, ResumePoint } from './resume-token.ts';
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

// After a restore, or a failover that lost the last writes, the same numbers are given again to other events. A reader that
// went on behind an old number would miss those without a word, so one whose token is not of this history starts over.

/** What a reader of an issue asks for. */
interface IssueResume {
  /** The `id` of the last event that it received. */
  readonly lastEventId?: IssueResumePoint | undefined;
  /** A resume point, or the number of an event alone, which is then taken to be of the current epoch. */
  readonly after?: IssueResumePoint | undefined;
}

/** The sequence number after which a reader of an issue goes on; 0 when its token is of another history. */
async function knownSeq(eventLog: EventLog, issue: Issue, resume: IssueResume): Promise<number> {
  const epoch = await eventLog.epoch();
  // A browser that reconnects repeats the address with its `after`; its header is newer.
  const { lastEventId = { epoch: resume.after?.epoch ?? epoch, seq: resume.after?.seq ?? 0 } } = resume;
  return lastEventId.epoch === epoch && lastEventId.seq <= issue.lastSeq ? lastEventId.seq : 0;
}

/** The point at which a reader of all issues goes on; null when the token is of another history. */
async function knownPoint(eventLog: EventLog, point: ResumePoint): Promise<ResumePoint | null> {
  const epoch = await eventLog.epoch();
  if (point.floor === 0 && point.sent.size === 0) return { ...point, epoch }; // the beginning of any history
  if (point.epoch !== epoch) return null;
  if (point.floor <= (await eventLog.settledUpTo())) return point;
  // Another process may have been told of more settled events.
  return point.floor <= (await eventLog.lastOrdinal()) ? point : null;
}
