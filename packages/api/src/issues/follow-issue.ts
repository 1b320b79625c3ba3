import { type Issue, type IssueEvent, isTerminal, type LiveEvent, type Session } from '@sluice/core';
import { openStreamLife, type StreamContext } from '../events/stream-life.ts';
import type { RequestContext } from '../procedure/request-context.ts';

export type StreamedEvent = IssueEvent | LiveEvent;

const PAGE = 100;

type Context = StreamContext & Pick<RequestContext, 'issues'>;

/**
 * The events of an issue after `after`: the written ones from the rows, each once and in order, and live text between
 * them. Signals only say when to look, so a lost or doubled one shows nothing wrong; a look at every heartbeat finds
 * what a lost one left out. Ends when the issue has ended and all was seen, and when the caller has gone.
 *
 * Nothing is read before the reader has taken what was read before, so a slow one costs one page; live text waits in a
 * bounded inbox. A reader who lets that overflow, or who takes nothing for long, is hung up on.
 *
 * @throws AppError `session_missing` when the session ends, `shutting_down` when the server does, `not_ready` when the
 *   reader is too slow
 */
export async function* followIssue(
  ctx: Context,
  following: { issue: Issue; session: Session; after: number; signal: AbortSignal },
): AsyncGenerator<StreamedEvent, void> {
  const { issue } = following;
  const life = openStreamLife(ctx, {
    ...following,
    issueId: issue.id,
    hears: (inbox) => ({ onEvents: ({ seq }) => inbox.written(seq), onLive: (event) => inbox.live(event) }),
  });
  const { inbox } = life;
  try {
    if (!(await life.begin())) return;
    let last = following.after;
    for (;;) {
      const work = await inbox.next();
      if (work === null) return;
      if (work.kind === 'live') {
        life.handedOut();
        yield work.event;
        life.taken();
        continue;
      }
      const isSweep = work.upTo === Number.POSITIVE_INFINITY;
      if (isSweep) await life.checkSession();
      let mayHaveEnded = isSweep;
      while (last < work.upTo && !inbox.isClosed()) {
        const limit = Math.min(PAGE, work.upTo - last);
        const events = await ctx.issues.events(issue.id, { after: last, limit });
        for (const event of events) {
          if (inbox.isClosed()) break;
          last = event.seq;
          mayHaveEnded ||= event.type === 'issue.status' && isTerminal(event.data.to);
          life.handedOut();
          yield event;
          life.taken();
        }
        if (events.length < limit) break;
      }
      if (mayHaveEnded && !inbox.isClosed() && (await isOver(ctx, issue, last))) return;
    }
  } finally {
    life.close();
  }
}

/** Asked of the issue as it is now: a failed one may have been retried since, and then its stream goes on. */
async function isOver(ctx: Context, { id }: Issue, last: number): Promise<boolean> {
  const now = await ctx.issues.get(id);
  return now === null || hasSeenAll(now, last);
}

/** Whether the issue has ended and a reader who has come to `last` has seen its last event. */
export function hasSeenAll(issue: Issue, last: number): boolean {
  return isTerminal(issue.status) && last >= issue.lastSeq;
}
