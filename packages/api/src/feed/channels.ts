import type { Caller } from '@sluice/core/access';
import type { Timers } from '@sluice/core/async';
import type { IssueId } from '@sluice/core/id';
import type { LiveEvent, Signals } from '@sluice/core/issue';
import { createHeartbeat } from './heartbeat.ts';
import { createStreamItem, type StreamItem } from './stream-item.ts';

/** A stream, as a channel sees it. */
export interface ChannelMember {
  /** There may be new rows up to `upTo`. Infinity: signals may have been missed, so everything has to be checked. */
  onRows(upTo: number): void;
  onLive(item: StreamItem<LiveEvent, null>): void;
  onHeartbeat(): void;
}

interface Membership {
  /**
   * Reads once for all members that ask the same since the last signal, within one turn of the event loop. A later signal
   * makes members read again, because the read under way may not see the new rows.
   */
  share<Result>(question: string, read: () => Promise<Result>): Promise<Result>;
  leave(): void;
}

/** What is followed: each issue or user has one subscription to signals and one heartbeat, whatever the number of streams. */
export interface Channels {
  joinIssue(issueId: IssueId, member: ChannelMember): Membership;
  /** @param sees whether the caller may see the issues of a repository, at the moment */
  joinUser(caller: Caller, sees: (repoId: string) => boolean, member: ChannelMember): Membership;
}

interface Joining {
  readonly member: ChannelMember;
  /** Left out: all that the channel is about. */
  readonly sees?: (repoId: string) => boolean;
}

interface Channel {
  readonly members: Map<ChannelMember, Joining['sees']>;
  readonly reads: Map<string, Promise<unknown>>;
  readonly close: () => void;
}

type Listen = (onRows: (upTo: number, repoId?: string) => void, onLive: (event: LiveEvent) => void) => () => void;

export function createChannels({
  signals,
  timers,
}: {
  readonly signals: Signals;
  readonly timers?: Pick<Timers, 'every'> | undefined;
}): Channels {
  const channels = new Map<string, Channel>();
  const heartbeat = createHeartbeat(timers?.every);

  const open = (subject: string, listen: Listen): Channel => {
    const members: Channel['members'] = new Map();
    const reads: Channel['reads'] = new Map();
    const stopListening = listen(
      (upTo, repoId) => {
        reads.clear();
        for (const [member, sees] of members) {
          if (repoId === undefined || sees === undefined || sees(repoId)) member.onRows(upTo);
        }
      },
      (event) => {
        const item = createStreamItem(null, event);
        for (const member of members.keys()) member.onLive(item);
      },
    );
    const stopBeat = heartbeat.onBeat(subject, () => {
      reads.clear();
      for (const member of members.keys()) member.onHeartbeat();
    });
    const close = () => {
      channels.delete(subject);
      stopListening();
      stopBeat();
    };
    const channel = { members, reads, close };
    channels.set(subject, channel);
    return channel;
  };

  const join = (subject: string, { member, sees }: Joining, listen: Listen): Membership => {
    const channel = channels.get(subject) ?? open(subject, listen);
    const { members, reads } = channel;
    members.set(member, sees);
    return {
      share: <Result>(question: string, read: () => Promise<Result>) => {
        const running = reads.get(question) as Promise<Result> | undefined;
        if (running !== undefined) return running;
        const asking = read().catch(read); // once more, before every stream of the channel ends by it
        reads.set(question, asking);
        // Not at once: other members may be a few promises behind.
        const forget = () => setImmediate(() => reads.get(question) === asking && reads.delete(question));
        asking.then(forget, forget);
        return asking;
      },
      leave: () => {
        if (members.delete(member) && members.size === 0) channel.close();
      },
    };
  };

  return {
    joinIssue: (issueId, member) =>
      join(issueId, { member }, (onRows, onLive) =>
        signals.subscribe(issueId, { onEvents: ({ seq }) => onRows(seq), onLive }),
      ),
    joinUser: ({ userId, limits }, sees, member) =>
      join(`${userId} ${limits?.repoId ?? ''}`, { member, sees }, (onRows) =>
        signals.subscribe(null, {
          // Without a user, signals of any issue may have been missed.
          onEvents: ({ userId: of, repoId }) => onRows(of === '' ? Number.POSITIVE_INFINITY : 0, repoId),
        }),
      ),
  };
}
