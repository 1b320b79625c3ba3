import { randomUUID } from 'node:crypto';
import type { EventsWritten, LiveEvent, Signals } from '@sluice/core/issue';
import type { RedisConnections } from './open-redis.ts';
import type { ProcessSignals } from './process-signals.ts';
import { createResending } from './resending.ts';

const POLL_MS = 1_000; // while hints cannot come, streams look at the rows this often

export interface RedisSignals extends Signals {
  close(): void;
}

/** A published message. `from` lets a process skip its own. */
type Message =
  | { readonly from: string; readonly hint: EventsWritten }
  | { readonly from: string; readonly live: LiveEvent }
  | { readonly from: string; readonly session: string }
  | { readonly from: string; readonly access: string };

/**
 * Signals between all processes of one Redis. A signal reaches listeners in this process at once and those of others
 * within milliseconds. Lost messages are compensated: while Redis is away, listeners are signalled to read the rows
 * every second, and once more when it is back.
 */
export function createRedisSignals(redis: RedisConnections, local: ProcessSignals): RedisSignals {
  const self = randomUUID();
  // Pub/sub ignores database numbers, so two installations on one server are separated by channel name.
  const name = `sluice:${redis.commands.options.db ?? 0}`;
  const eventsChannel = `${name}:events`;
  const sessionsChannel = `${name}:sessions`;
  const liveChannel = (issueId: string) => `${name}:live:${issueId}`;
  const followers = new Map<string, number>(); // of an issue, in this process
  let followersOfAll = 0;
  let hearing = false; // whether Redis has said that it sends us what others signal

  const publish = async (channel: string, message: Message) => {
    if (redis.commands.status !== 'ready') throw new Error('Redis is away.');
    await redis.commands.publish(channel, JSON.stringify(message));
  };
  // Other processes do not notice our lost connection, so messages that they need are sent again.
  const resending = createResending<Message>(({ channel, message }) => publish(channel, message));
  const signalAll = () => {
    for (const issueId of [...followers.keys(), ...(followersOfAll > 0 ? [''] : [])]) {
      local.eventsWritten({ issueId, userId: '', seq: Number.POSITIVE_INFINITY });
    }
  };
  const listen = () => {
    if (redis.subscriber.status !== 'ready') return;
    redis.subscriber.subscribe(eventsChannel, sessionsChannel, ...[...followers.keys()].map(liveChannel)).then(
      () => {
        hearing = true;
        signalAll(); // for messages sent before Redis knew that we listen
      },
      () => undefined, // refused, or lost: the poll asks again
    );
  };
  const onClose = () => {
    hearing = false;
  };
  const onMessage = (_channel: string, text: string) => {
    const message = read(text);
    if (message === null || message.from === self) return;
    if ('hint' in message) local.eventsWritten(message.hint);
    else if ('live' in message) local.live(message.live);
    else if ('session' in message) local.sessionEnded(message.session);
    else local.accessChanged(message.access);
  };
  redis.subscriber.on('ready', listen);
  redis.subscriber.on('close', onClose);
  redis.subscriber.on('message', onMessage);
  redis.commands.on('ready', resending.resend);
  listen();
  const poll = setInterval(() => {
    if (redis.commands.status === 'ready') resending.resend();
    if (hearing) return;
    signalAll();
    listen();
  }, POLL_MS);
  poll.unref();

  return {
    eventsWritten: (hint) => {
      local.eventsWritten(hint);
      resending.send({ channel: eventsChannel, about: hint.issueId, message: { from: self, hint } });
    },
    live: (event) => {
      local.live(event);
      publish(liveChannel(event.issue_id), { from: self, live: event }).catch(() => undefined);
    },
    sessionEnded: (session) => {
      local.sessionEnded(session);
      resending.send({ channel: sessionsChannel, about: session, message: { from: self, session } });
    },
    accessChanged: (access) => {
      local.accessChanged(access);
      resending.send({ channel: sessionsChannel, about: access, message: { from: self, access } });
    },
    subscribe: (issueId, listener) => {
      const leave = local.subscribe(issueId, listener);
      if (issueId === null) {
        if (listener.onEvents === undefined) return leave;
        followersOfAll += 1;
        let gone = false;
        return () => {
          leave();
          if (!gone) followersOfAll -= 1;
          gone = true;
        };
      }
      const before = followers.get(issueId) ?? 0;
      followers.set(issueId, before + 1);
      // While disconnected, channels are subscribed after the reconnect.
      if (before === 0 && redis.subscriber.status === 'ready')
        redis.subscriber.subscribe(liveChannel(issueId)).catch(() => undefined);
      let left = false;
      return () => {
        leave();
        if (left) return;
        left = true;
        const rest = (followers.get(issueId) ?? 1) - 1;
        if (rest > 0) followers.set(issueId, rest);
        else {
          followers.delete(issueId);
          if (redis.subscriber.status === 'ready')
            redis.subscriber.unsubscribe(liveChannel(issueId)).catch(() => undefined);
        }
      };
    },
    close: () => {
      clearInterval(poll);
      redis.subscriber.off('ready', listen);
      redis.subscriber.off('close', onClose);
      redis.subscriber.off('message', onMessage);
      redis.commands.off('ready', resending.resend);
    },
  };
}

/** Returns null for anything that is not our message: any client of Redis can publish. */
function read(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('from' in value) || typeof value.from !== 'string')
      return null;
    const { from } = value;
    if ('hint' in value && isHint(value.hint)) return { from, hint: value.hint };
    if ('live' in value && isLive(value.live)) return { from, live: value.live };
    if ('session' in value && typeof value.session === 'string') return { from, session: value.session };
    if ('access' in value && typeof value.access === 'string') return { from, access: value.access };
    return null;
  } catch {
    return null;
  }
}

function isHint(value: unknown): value is EventsWritten {
  const hint = value as Partial<EventsWritten> | null;
  return typeof hint?.issueId === 'string' && typeof hint.userId === 'string' && typeof hint.seq === 'number';
}

function isLive(value: unknown): value is LiveEvent {
  const event = value as Partial<LiveEvent> | null;
  return (
    (event?.type === 'agent.delta' || event?.type === 'command.output') &&
    typeof event.issue_id === 'string' &&
    typeof event.data?.text === 'string'
  );
}
