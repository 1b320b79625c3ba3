import { type RoleReader, roleOf } from '@sluice/core/access';
import { AppError } from '@sluice/core/error';
import { type EventLog, type Issue, type IssueEvent, type IssueStore, isTerminal } from '@sluice/core/issue';
import type { Channels } from './channels.ts';
import type { OpenStreams, Reader } from './open-streams.ts';
import { renderIssueResumePoint } from './resume-token.ts';
import { createStreamItem, type StreamItem } from './stream-item.ts';

const PAGE = 100;

interface Deps {
  readonly issues: Pick<IssueStore, 'events' | 'get'>;
  readonly members: RoleReader;
  readonly eventLog: Pick<EventLog, 'epoch'>;
  readonly channels: Channels;
  readonly streams: OpenStreams;
}

/**
 * The events of an issue after `after`: rows, each once and in order, with live text between them. Ends when the issue has
 * ended and its last event was sent.
 *
 * The next page is read only after the reader has taken the one before, so a slow reader costs one page.
 *
 * @throws AppError `session_missing` when the session ends, `not_owner` when the reader loses their role in the repository, `shutting_down` when the server does, `not_ready` when the
 *   reader is too slow
 */
export async function* followIssue(
  { issues, members, eventLog, channels, streams }: Deps,
  { issue, after, reader }: { issue: Issue; after: number; reader: Reader },
): AsyncGenerator<StreamItem, void> {
  const { caller } = reader;
  const stream = streams.open(reader, {
    userId: caller.userId,
    key: `${caller.userId} ${issue.repoId}`,
    read: () => roleOf({ members }, caller, issue.repoId),
    take: (role) => {
      if (role !== null) return;
      throw new AppError('not_owner', { detail: 'You are no longer a member of the repository of this issue.' });
    },
  });
  const channel = channels.joinIssue(issue.id, stream);
  let last = after;
  try {
    if (!(await stream.begin())) return;
    const epoch = await eventLog.epoch();
    const toItem = (event: IssueEvent) => createStreamItem(renderIssueResumePoint({ epoch, seq: event.seq }), event);
    for (;;) {
      const work = await stream.next();
      if (work === null) return;
      if (work.kind === 'live') {
        stream.handedOut();
        yield work.item;
        stream.taken();
        continue;
      }
      const isCheck = work.upTo === Number.POSITIVE_INFINITY;
      if (isCheck) await stream.checkAccess();
      let mayHaveEnded = isCheck;
      while (last < work.upTo && !stream.isEnded()) {
        const limit = Math.min(PAGE, work.upTo - last);
        const range = { after: last, limit };
        const items = await channel.share(`events ${last} ${limit}`, async () =>
          (await issues.events(issue.id, range)).map(toItem),
        );
        for (const item of items) {
          if (stream.isEnded()) break;
          last = item.event.seq;
          mayHaveEnded ||= isEnd(item.event);
          stream.handedOut();
          yield item;
          stream.taken();
        }
        if (items.length < limit) break;
      }
      if (!mayHaveEnded || stream.isEnded()) continue;
      // Read again, because a failed issue may have been retried since: then its stream goes on.
      const current = await channel.share('issue', () => issues.get(issue.id));
      if (current === null || hasSeenAll(current, last)) return;
    }
  } finally {
    channel.leave();
    stream.close();
  }
}

function isEnd(event: IssueEvent): boolean {
  return event.type === 'issue.status' && isTerminal(event.data.to);
}

/** Whether the issue has ended and `last` is its last event. */
export function hasSeenAll(issue: Issue, last: number): boolean {
  return isTerminal(issue.status) && last >= issue.lastSeq;
}
