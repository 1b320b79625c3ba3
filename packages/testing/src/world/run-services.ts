import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { RUN_FOLDER } from '../run/run-folder.ts';
import { startPostgres } from '../service/postgres-server.ts';
import { startRedisServer } from '../service/redis-server.ts';

/** The variable that passes the socket to the workers. */
const SOCKET = 'SLUICE_TEST_SERVICES';

/** Four workers, and a database of each with the connections that a server has by default. */
const POSTGRES_CONNECTIONS = 450;
const REDIS_DATABASES = 4_096;

interface Running extends AsyncDisposable {
  readonly url: string;
}

const starters = {
  postgres: async (): Promise<Running> => {
    const server = await startPostgres({
      connections: POSTGRES_CONNECTIONS,
      // Autovacuum visits each database every minute, and there are many.
      settings: ['autovacuum=off', 'wal_level=minimal', 'max_wal_senders=0', 'max_wal_size=256MB'],
    });
    return { url: `postgres://postgres@127.0.0.1:${server.port}`, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
  },
  redis: async (): Promise<Running> => await startRedisServer({ databases: REDIS_DATABASES }),
};

export type RunService = keyof typeof starters;

/**
 * Vitest's global set-up: starts a service when the first test file asks for it, in the process that outlives all test
 * files, and ends it with the run.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = process.env[RUN_FOLDER];
  if (folder === undefined || process.env[SOCKET] !== undefined) return async () => undefined; // another project of this run
  const { path, close } = await serveServices(join(folder, 'services.sock'), starters);
  process.env[SOCKET] = path;
  return close;
}

/** Answers the address of a service to each connection that sends its name; the first one starts it. */
export async function serveServices(
  path: string,
  start: Readonly<Record<string, () => Promise<Running>>>,
): Promise<{ path: string; close(): Promise<void> }> {
  const started = new Map<string, Promise<Running>>();
  const startOnce = (name: string): Promise<Running> => {
    const known = started.get(name);
    if (known !== undefined) return known;
    const running = start[name]?.() ?? Promise.reject(new Error(`There is no service "${name}".`));
    started.set(name, running);
    return running;
  };
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    socket.on('error', () => undefined); // the test file has ended
    const answer = await text(socket)
      .then(startOnce)
      .then(
        ({ url }) => ({ url }),
        (error: unknown) => ({ error: String(error) }),
      );
    socket.end(JSON.stringify(answer));
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    path,
    close: async () => {
      server.close();
      for (const running of await Promise.allSettled(started.values())) {
        if (running.status === 'fulfilled') await running.value[Symbol.asyncDispose]();
      }
    },
  };
}

/**
 * Starts a service for this test run, or finds the one that runs.
 *
 * @returns the address of a service of this run; null outside a test run
 */
export async function runService(name: RunService): Promise<string | null> {
  const path = process.env[SOCKET];
  return path === undefined ? null : await askFor(path, name);
}

/** Asks the test run for the address of a service. @throws Error when the service did not start */
export async function askFor(path: string, name: string): Promise<string> {
  const socket = connect({ path, allowHalfOpen: true });
  socket.end(name);
  const answer: { url: string } | { error: string } = JSON.parse(await text(socket));
  if ('error' in answer) throw new Error(`${name} did not start for the tests: ${answer.error}`);
  return answer.url;
}
