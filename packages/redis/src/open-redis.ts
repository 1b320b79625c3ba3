import { Redis } from 'ioredis';

/** What the connections' owner hears of them. */
export interface RedisLog {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** How long a server may take, where it is not our own measure. */
export interface RedisPatience {
  /** For the answer to one command, in milliseconds. */
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
 * What a server that hangs costs a request, until its silence has ended the connection; then memory counts. Not less: the time
 * also runs out when our own process gets no turn, and what is counted in memory is not counted together.
 */
const COMMAND_TIMEOUT_MS = 1_000;
const PING_MS = 2_000;
const SILENT_MS = 5_000; // two pings and a half unanswered: the connection is dead, whatever TCP says
const LONGEST_PAUSE_MS = 1_000;

/**
 * Opens the connections and goes on connecting for as long as it takes: the cache may come after us, go away and come
 * back. Nothing is queued for a server that is away, so a caller knows at once.
 *
 * @param url `redis://` or `rediss://`, with the password in it where there is one
 */
export function openRedis(url: string, log: RedisLog, patience: RedisPatience = {}): RedisConnections {
  const commands = open(url, { commandTimeout: patience.commandMs ?? COMMAND_TIMEOUT_MS, connectionName: 'sluice' });
  const subscriber = open(url, { connectionName: 'sluice-signals' });
  const stopTelling = tellOfOutages(commands, log);
  // A server that was stopped in its tracks keeps its sockets open: only silence tells.
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
      await Promise.race([commands.ping(), aborted(signal)]);
    },
    close: async () => {
      for (const timer of pings) clearInterval(timer);
      stopTelling();
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
    autoResubscribe: false, // what is followed then is known better by whoever follows
    retryStrategy: (tried: number) => Math.min(tried * 50, LONGEST_PAUSE_MS),
    ...options,
  });
  client.on('error', () => undefined); // told once an outage, below; without a listener it would end the process
  return client;
}

/** Says once that the server has gone and once that it is back, not at every try. */
function tellOfOutages(client: Redis, log: RedisLog): () => void {
  let away = false;
  const onError = (error: Error & { code?: string }) => {
    if (away) return;
    away = true;
    // The message alone: ioredis' errors can carry the command and its arguments.
    log.warn({ reason: error.code ?? error.message }, 'the cache store is away: limits are kept in memory meanwhile');
  };
  const onReady = () => {
    if (away) log.info({}, 'the cache store is back');
    away = false;
  };
  client.on('error', onError);
  client.on('ready', onReady);
  return () => {
    client.off('error', onError);
    client.off('ready', onReady);
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
