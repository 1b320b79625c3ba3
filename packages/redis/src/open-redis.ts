import { untilAborted } from '@sluice/core/async';
import { Redis } from 'ioredis';

export interface RedisLog {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** Timeouts that differ from the defaults. */
export interface RedisTimeouts {
  /** The timeout of one command, in milliseconds. */
  readonly commandMs?: number;
}

/** Two connections to one server: a connection that subscribes can do nothing else. */
export interface RedisConnections {
  readonly commands: Redis;
  readonly subscriber: Redis;
  /** Rejects when the server does not answer. */
  check(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 2_000;
/**
 * The cost of a hanging server for each request until its silence ends the connection and memory takes over. Not less:
 * a busy process misses short timeouts, and limits counted in memory are not shared.
 */
const COMMAND_TIMEOUT_MS = 1_000;
const PING_MS = 2_000;
const SILENT_MS = 5_000; // two pings and a half unanswered: the connection is dead, whatever TCP says
const MAX_PAUSE_MS = 1_000;

/**
 * Opens the connections and reconnects until they are closed: Redis may start after us, go away and come back. Commands
 * are not queued while it is away, so callers notice at once.
 *
 * @param url `redis://` or `rediss://`, with the password if there is one
 */
export function openRedis(url: string, log: RedisLog, timeouts: RedisTimeouts = {}): RedisConnections {
  const commands = open(url, { commandTimeout: timeouts.commandMs ?? COMMAND_TIMEOUT_MS, connectionName: 'sluice' });
  const subscriber = open(url, { connectionName: 'sluice-signals' });
  const stopLogging = logOutages(commands, log);
  // A stopped server keeps its sockets open; only its silence shows it.
  const pings = [commands, subscriber].map((client) => {
    const timer = setInterval(() => {
      if (client.status === 'ready') client.ping().catch(() => undefined);
    }, PING_MS);
    timer.unref();
    return timer;
  });
  return {
    commands,
    subscriber,
    check: async (signal) => {
      signal.throwIfAborted();
      await untilAborted(commands.ping(), signal);
    },
    close: async () => {
      for (const timer of pings) clearInterval(timer);
      stopLogging();
      commands.disconnect();
      subscriber.disconnect();
    },
  };
}

function open(url: string, options: { connectionName: string; commandTimeout?: number }): Redis {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENT_MS,
    autoResubscribe: false, // the signals subscribe again themselves
    retryStrategy: (tried: number) => Math.min(tried * 50, MAX_PAUSE_MS),
    ...options,
  });
  client.on('error', () => undefined); // outages are logged below; without a listener it would end the process
  return client;
}

/** Logs each outage once, and its end once, not every attempt. */
function logOutages(client: Redis, log: RedisLog): () => void {
  let away = false;
  const onError = (error: Error & { code?: string }) => {
    if (away) return;
    away = true;
    // Only the message: ioredis errors can contain the command and its arguments.
    log.warn({ reason: error.code ?? error.message }, 'Redis is unreachable: rate limits are counted in memory');
  };
  const onReady = () => {
    if (away) log.info({}, 'Redis is reachable again');
    away = false;
  };
  client.on('error', onError);
  client.on('ready', onReady);
  return () => {
    client.off('error', onError);
    client.off('ready', onReady);
  };
}
