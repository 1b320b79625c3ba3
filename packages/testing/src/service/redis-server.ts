import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import { freezeProcess } from './freeze-process.ts';

/** A real Redis server for one test, which can be killed, stopped in its tracks and brought back. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it in its tracks: its sockets stay open and nothing answers. */
  freeze(): void;
  thaw(): void;
}

/**
 * Starts `redis-server` from the PATH on a free port of this host, without persistence.
 *
 * @param databases how many numbered databases it has
 */
export async function startRedisServer({ databases = 16 } = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-redis-'));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const server: RedisServer = {
    url,
    start: async () => {
      const persistence = ['--save', '', '--appendonly', 'no', '--dir', folder];
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--databases', String(databases), ...persistence];
      const started = spawn('redis-server', args, { stdio: 'ignore' });
      child = started;
      await once(started, 'spawn');
      const ended = once(started, 'exit').then(([code]) => Promise.reject(new Error(`Redis ended with ${code}.`)));
      ended.catch(() => undefined); // it ends one day; that is heard of only while it is waited for
      await Promise.race([answers(url), ended]);
    },
    kill: async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      child = null;
    },
    freeze: () => freezeProcess(child),
    thaw: () => void child?.kill('SIGCONT'),
    [Symbol.asyncDispose]: async () => {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

async function answers(url: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 10, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  try {
    await client.ping();
  } finally {
    client.disconnect();
  }
}
