import type { ChangedIssue, IssueEvent, IssueId, Session, UserId } from '@sluice/core';
import type { RequestContext } from '../procedure/request-context.ts';
import { openStreamLife, type StreamContext } from './open-stream.ts';
import { printResumePoint, type ResumePoint } from './resume-token.ts';

const PAGE = 100;

/** What a reader of everything is told first, so that he can go on from here if nothing more reaches him. */
interface StreamOpened {
  readonly type: 'stream.opened';
  readonly at: string;
}

export interface UserStreamItem {
  /** Resumes after this item. */
  readonly id: string;
  readonly event: IssueEvent | StreamOpened;
}

type Context = StreamContext & Pick<RequestContext, 'issues' | 'feed'>;

/**
 * The written events of all of a user's issues from `resume` on (null: from now on), of each issue in order and once.
 * What one of them is read from are the issue's own rows by their sequence; the feed only says of which issues there are
 * any. It never ends by itself.
 *
 * @throws AppError as `openStreamLife`
 */
export async function* followUser(
  ctx: Context,
  following: { userId: UserId; session: Session; resume: ResumePoint | null; signal: AbortSignal },
): AsyncGenerator<UserStreamItem, void> {
  const { userId } = following;
  const life = openStreamLife(ctx, { ...following, subject: userId });
  const { inbox } = life;
  const stopListening = ctx.signals.subscribe(null, {
    onEvents: ({ userId: of }) => {
      if (of === userId || of === '') inbox.written(of === '' ? Number.POSITIVE_INFINITY : 0);
    },
  });
  try {
    if (!(await life.begin())) return;
    let floor = following.resume?.floor ?? (await ctx.feed.settledUpTo());
    // By the time of the last event that was sent. `ordinal`: the place of the last one, once all up to it were sent.
    const above = new Map<IssueId, { seq: number; ordinal: number }>();
    for (const [id, seq] of following.resume?.sent ?? []) above.set(id, { seq, ordinal: Number.POSITIVE_INFINITY });
    const here = () => printResumePoint({ floor, sent: new Map([...above].map(([id, { seq }]) => [id, seq])) });

    async function* send({ issueId, firstSeq, lastSeq, lastOrdinal }: ChangedIssue): AsyncGenerator<UserStreamItem> {
      let last = Math.max(firstSeq - 1, above.get(issueId)?.seq ?? 0);
      while (last < lastSeq && !inbox.isClosed()) {
        const events = await ctx.issues.events(issueId, { after: last, limit: Math.min(PAGE, lastSeq - last) });
        if (events.length === 0) break; // it was deleted for good
        for (const event of events) {
          if (inbox.isClosed()) return;
          last = event.seq;
          above.delete(issueId); // to the end of the map: the newest stay in a token that must be cut
          above.set(issueId, { seq: last, ordinal: Number.POSITIVE_INFINITY });
          life.handedOut();
          yield { id: here(), event };
          life.taken();
        }
      }
      const sent = above.get(issueId);
      if (sent !== undefined && sent.seq <= lastSeq) above.set(issueId, { ...sent, ordinal: lastOrdinal });
    }

    if (following.resume === null) {
      yield { id: here(), event: { type: 'stream.opened', at: ctx.clock.now().toISOString() } };
    }
    for (;;) {
      const work = await inbox.next();
      if (work === null) return;
      if (work.kind === 'written' && work.upTo === Number.POSITIVE_INFINITY) await life.checkSession();
      const settled = await ctx.feed.settledUpTo();
      // What is settled comes in pieces, each of which is done with for good.
      while (floor < settled && !inbox.isClosed()) {
        const piece = await ctx.feed.changed(userId, { after: floor, upTo: settled, limit: PAGE });
        for (const changed of piece.issues) yield* send(changed);
        if (inbox.isClosed()) break;
        floor = piece.upTo ?? settled;
        for (const [id, { ordinal }] of above) if (ordinal <= floor) above.delete(id);
      }
      if (inbox.isClosed()) continue; // `next` says why
      // What is not settled is looked at as of one moment: else an issue's earlier event could appear behind its later one.
      const rest = await ctx.feed.changed(userId, { after: floor, upTo: null, limit: null });
      for (const changed of rest.issues) yield* send(changed);
    }
  } finally {
    stopListening();
    life.close();
  }
}
