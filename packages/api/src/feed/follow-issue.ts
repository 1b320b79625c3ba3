import { type Issue, type IssueEvent, isTerminal, type LiveEvent, type Session } from '@sluice/core';
import type { RequestContext } from '../procedure/request-context.ts';
import { openBroadcast } from './channel.ts';
import { openStreamLife, type StreamContext } from './open-stream.ts';

export type StreamedEvent = IssueEvent | LiveEvent;

/** Takes an event at once, where there is nobody to wait for. */
export interface EventSink {
  /** Whether it can be given an event now: what it was given before has gone out. */
  isReady(): boolean;
  send(event: StreamedEvent): void;
}

/** The way past the generator, once there is a sink at its end. */
export interface DirectWay {
  sink: EventSink | null;
}

const PAGE = 100;

type Context = StreamContext & Pick<RequestContext, 'issues'>;

/**
 * The events of an issue after `after`: the written ones from the rows, each once and in order, and live text between
 * them. Signals only say when to look, so a lost or doubled one shows nothing wrong; a look at every heartbeat finds
 * what a lost one left out. Ends when the issue has ended and all was seen, and when the caller has gone.
 *
 * To a reader who waits, has seen all before it and takes it at once, an event goes by the direct way where there is one:
 * of a thousand streams each costs a write then, and not the steps of a generator.
 *
 * Nothing is read before the reader has taken what was read before, so a slow one costs one page; live text waits in a
 * bounded inbox. A reader who lets that overflow, or who takes nothing for long, is hung up on.
 *
 * @throws AppError `session_missing` when the session ends, `shutting_down` when the server does, `not_ready` when the
 *   reader is too slow
 */
export async function* followIssue(
  ctx: Context,
  following: { issue: Issue; session: Session; after: number; signal: AbortSignal; direct?: DirectWay },
): AsyncGenerator<StreamedEvent, void> {
  const { issue, direct } = following;
  const life = openStreamLife(ctx, { ...following, subject: issue.id });
  const { inbox } = life;
  let last = following.after;
  const mayPass = () => direct?.sink?.isReady() === true && inbox.isAwaited();
  const broadcast = openBroadcast(ctx, issue.id, {
    onEvents: (events) => {
      for (const event of events) {
        // What may be the last one is left to the loop, which looks whether it is.
        if (event.seq === last + 1 && mayPass() && !isEnd(event)) {
          last = event.seq;
          direct?.sink?.send(event);
        } else if (event.seq > last) inbox.written(event.seq);
      }
    },
    onHint: (seq) => inbox.written(seq),
    onLive: (event) => {
      if (mayPass()) direct?.sink?.send(event);
      else inbox.live(event);
    },
  });
  try {
    if (!(await life.begin())) return;
    let hasLooked = false;
    for (;;) {
      const work = await inbox.next();
      if (work === null) return;
      if (work.kind === 'live') {
        life.handedOut();
        yield work.event;
        life.taken();
        continue;
      }
      const isFirst = !hasLooked;
      hasLooked = true;
      const isSweep = work.upTo === Number.POSITIVE_INFINITY;
      if (isSweep) await life.checkSession();
      let mayHaveEnded = isSweep;
      while (last < work.upTo && !inbox.isClosed()) {
        const limit = Math.min(PAGE, work.upTo - last);
        const events = await (isSweep && !isFirst
          ? broadcast.readWithOthers(last, limit)
          : broadcast.read({ after: last, upTo: work.upTo, limit }));
        for (const event of events) {
          if (inbox.isClosed()) break;
          last = event.seq;
          mayHaveEnded ||= isEnd(event);
          life.handedOut();
          yield event;
          life.taken();
        }
        if (events.length < limit) break;
      }
      if (mayHaveEnded && !inbox.isClosed() && isOver(await broadcast.issueAfter(last), last)) return;
    }
  } finally {
    broadcast.close();
    life.close();
  }
}

function isEnd(event: IssueEvent): boolean {
  return event.type === 'issue.status' && isTerminal(event.data.to);
}

/** Of the issue as it is now: a failed one may have been retried since, and then its stream goes on. */
function isOver(now: Issue | null, last: number): boolean {
  return now === null || hasSeenAll(now, last);
}

/** Whether the issue has ended and a reader who has come to `last` has seen its last event. */
export function hasSeenAll(issue: Issue, last: number): boolean {
  return isTerminal(issue.status) && last >= issue.lastSeq;
}
