import type { Role } from '@sluice/core/access';
import type { Clock } from '@sluice/core/async';
import type { IssueId, RepoId } from '@sluice/core/id';
import type { ChangedIssue, EventLog, IssueEvent, IssueStore } from '@sluice/core/issue';
import type { MemberStore } from '@sluice/core/member';
import type { Channels } from './channels.ts';
import type { OpenStreams, Reader } from './open-streams.ts';
import { type ResumePoint, renderResumePoint } from './resume-token.ts';
import { createStreamItem, type StreamItem } from './stream-item.ts';

const PAGE = 100;

/** The first event of a stream without a resume token: its id resumes from there, should nothing else arrive. */
interface StreamOpened {
  readonly type: 'stream.opened';
  readonly at: string;
}

export type UserStreamItem = StreamItem<IssueEvent | StreamOpened, string>;

interface Deps {
  readonly issues: Pick<IssueStore, 'events'>;
  readonly members: Pick<MemberStore, 'rolesOf'>;
  readonly eventLog: EventLog;
  readonly clock: Clock;
  readonly channels: Channels;
  readonly streams: OpenStreams;
}

/**
 * The events of all issues that the reader may see after `resume` (null: from now on), of each issue in order and once. The
 * event log names the issues that have new events; the events are read from the issue's rows by sequence number. It does
 * not end by itself.
 *
 * @throws AppError as `followIssue`, but never `not_owner`
 */
export async function* followUser(
  { issues, members, eventLog, clock, channels, streams }: Deps,
  { resume, reader }: { resume: ResumePoint | null; reader: Reader },
): AsyncGenerator<UserStreamItem, void> {
  const { caller } = reader;
  let roles: ReadonlyMap<RepoId, Role> = new Map();
  const stream = streams.open(reader, {
    userId: caller.userId,
    key: `${caller.userId} ${caller.limits?.repoId ?? ''}`,
    read: () => members.rolesOf(caller),
    take: (now) => {
      roles = now;
    },
  });
  const channel = channels.joinUser(caller, (repoId) => roles.has(repoId as RepoId), stream);
  try {
    const settledUpTo = () => channel.share('settled', () => eventLog.settledUpTo());
    const changed = (range: Parameters<EventLog['changed']>[1]) =>
      channel.share(`changed ${range.after} ${range.upTo} ${range.limit}`, () => eventLog.changed(caller, range));
    const readEvents = (issueId: IssueId, after: number, limit: number) =>
      channel.share(`events ${issueId} ${after} ${limit}`, () => issues.events(issueId, { after, limit }));
    if (!(await stream.begin())) return;
    const epoch = await eventLog.epoch();
    let floor = resume?.floor ?? (await settledUpTo());
    // By the time of the last event that was sent. `ordinal`: that event's place, once all events up to it were sent.
    const above = new Map<IssueId, { seq: number; ordinal: number }>();
    for (const [id, seq] of resume?.sent ?? []) above.set(id, { seq, ordinal: Number.POSITIVE_INFINITY });
    const here = () => renderResumePoint({ epoch, floor, sent: new Map([...above].map(([id, { seq }]) => [id, seq])) });

    async function* send({
      issueId,
      repoId,
      firstSeq,
      lastSeq,
      lastOrdinal,
    }: ChangedIssue): AsyncGenerator<UserStreamItem> {
      let last = Math.max(firstSeq - 1, above.get(issueId)?.seq ?? 0);
      while (last < lastSeq && roles.has(repoId) && !stream.isEnded()) {
        const events = await readEvents(issueId, last, Math.min(PAGE, lastSeq - last));
        if (events.length === 0) break; // the issue was deleted
        for (const event of events) {
          if (stream.isEnded() || !roles.has(repoId)) return;
          last = event.seq;
          above.delete(issueId); // to the end of the map: a token that must be cut keeps the newest
          above.set(issueId, { seq: last, ordinal: Number.POSITIVE_INFINITY });
          stream.handedOut();
          yield createStreamItem(here(), event);
          stream.taken();
        }
      }
      const sent = above.get(issueId);
      if (sent !== undefined && sent.seq <= lastSeq) above.set(issueId, { ...sent, ordinal: lastOrdinal });
    }

    if (resume === null) yield createStreamItem(here(), { type: 'stream.opened', at: clock.now().toISOString() });
    for (;;) {
      const work = await stream.next();
      if (work === null) return;
      if (work.kind === 'rows' && work.upTo === Number.POSITIVE_INFINITY) await stream.checkAccess();
      const settled = await settledUpTo();
      // Settled events are read in pieces, each of which raises the floor.
      while (floor < settled && !stream.isEnded()) {
        const piece = await changed({ after: floor, upTo: settled, limit: PAGE });
        for (const one of piece.issues) yield* send(one);
        if (stream.isEnded()) break;
        floor = piece.upTo ?? settled;
        for (const [id, { ordinal }] of above) if (ordinal <= floor) above.delete(id);
      }
      if (stream.isEnded()) continue; // `next` has the reason
      // The rest is read as of one moment: otherwise an issue's earlier event could appear after its later one.
      const rest = await changed({ after: floor, upTo: null, limit: null });
      for (const one of rest.issues) yield* send(one);
    }
  } finally {
    channel.leave();
    stream.close();
  }
}
