import { AppError, type Issue, type IssueEvent, isTerminal, type LiveEvent } from '@sluice/core';
import { HEARTBEAT_MS } from '../procedure/procedure.ts';
import type { RequestContext } from '../procedure/request-context.ts';
import { createStreamInbox, type StreamInbox } from './stream-inbox.ts';
import { watchSession } from './watch-session.ts';

export type StreamedEvent = IssueEvent | LiveEvent;

const PAGE = 100;
const STALLED_MS = 30_000; // a reader who takes nothing for so long is gone, or holds us on purpose
const GRACE_MS = 500; // to end in an orderly way before the connection is dropped

type Context = Pick<RequestContext, 'issues' | 'signals' | 'sessions' | 'clock' | 'closing' | 'hangUp'>;

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
  following: { issue: Issue; sessionId: string; expiresAt: Date; after: number; signal: AbortSignal },
): AsyncGenerator<StreamedEvent, void> {
  const { issue, signal } = following;
  let handedOutAt: number | null = null;
  let grace: NodeJS.Timeout | null = null;
  const end = (reason: AppError) => {
    inbox.close(reason);
    grace ??= setTimeout(() => ctx.hangUp(), GRACE_MS);
  };
  // Not a quiet end: over tRPC that would tell the reader that there is nothing more to come.
  const endSlow = () => end(new AppError('not_ready', { detail: 'You read too slowly: go on after your last event.' }));
  const inbox: StreamInbox = createStreamInbox(endSlow);

  // Listening comes before the first look at the rows: what is written in between is seen twice, never missed.
  const stopListening = ctx.signals.subscribe(issue.id, {
    onEvents: ({ seq }) => inbox.written(seq),
    onLive: (event) => inbox.live(event),
  });
  const session = watchSession(ctx, { ...following, onEnd: () => end(new AppError('session_missing')) });
  const onGone = () => inbox.close();
  const onClosing = () => end(new AppError('shutting_down'));
  signal.addEventListener('abort', onGone, { once: true });
  ctx.closing.addEventListener('abort', onClosing, { once: true });
  const beat = setInterval(() => {
    if (handedOutAt !== null && performance.now() - handedOutAt > STALLED_MS) endSlow();
    else inbox.written(Number.POSITIVE_INFINITY);
  }, HEARTBEAT_MS);

  try {
    if (signal.aborted) return;
    if (ctx.closing.aborted) throw new AppError('shutting_down');
    await session.check();
    let last = following.after;
    inbox.written(Number.POSITIVE_INFINITY);
    for (;;) {
      const work = await inbox.next();
      if (work === null) return;
      if (work.kind === 'live') {
        handedOutAt = performance.now();
        yield work.event;
        handedOutAt = null;
        continue;
      }
      const isSweep = work.upTo === Number.POSITIVE_INFINITY;
      if (isSweep) await session.check();
      let mayHaveEnded = isSweep;
      while (last < work.upTo && !inbox.isClosed()) {
        const limit = Math.min(PAGE, work.upTo - last);
        const events = await ctx.issues.events(issue.id, { after: last, limit });
        for (const event of events) {
          if (inbox.isClosed()) break;
          last = event.seq;
          mayHaveEnded ||= event.type === 'issue.status' && isTerminal(event.data.to);
          handedOutAt = performance.now();
          yield event;
          handedOutAt = null;
        }
        if (events.length < limit) break;
      }
      if (mayHaveEnded && !inbox.isClosed() && (await isOver(ctx, issue, last))) return;
    }
  } finally {
    stopListening();
    session.stop();
    signal.removeEventListener('abort', onGone);
    ctx.closing.removeEventListener('abort', onClosing);
    clearInterval(beat);
    if (grace !== null) clearTimeout(grace);
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
