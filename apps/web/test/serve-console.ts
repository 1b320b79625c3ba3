import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { builtService } from './build-service.ts';

/** The real service with the built console, as a process of its own over a new data folder. */
export interface ServedConsole extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again over the same data and at the same address; it is stopped before unless it was killed. */
  restart(): Promise<void>;
}

/** The server's limits are for one person per address, while these tests are many people at one. */
const unlimited = {
  LIMIT_LOGIN: '0',
  LIMIT_REGISTER: '0',
  LIMIT_CREATE_ISSUE: '0',
  LIMIT_CREATE_REPO: '0',
  LIMIT_MUTATION: '0',
};

/**
 * Starts the service, embedded unless the environment says otherwise, and waits until it listens.
 *
 * @param environment variables of the configuration besides the usual ones
 * @param firstPort the port, where somebody has to know it before
 */
export async function serveConsole(
  environment: Readonly<Record<string, string>> = {},
  firstPort = '0',
): Promise<ServedConsole> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-web-'));
  const start = async (port: string): Promise<{ child: ChildProcess; url: string }> => {
    const log = openSync(join(dataDir, 'process.log'), 'a');
    const child = spawn(process.execPath, [builtService()], {
      cwd: dataDir, // where no .env of the checkout is read
      env: {
        PATH: process.env.PATH,
        HOME: dataDir,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        ALLOW_LOCAL_REPOS: 'on', // for every person of a test, not only the first
        ...unlimited,
        ...environment,
        PORT: port,
      },
      stdio: ['ignore', 'pipe', log],
    });
    return { child, url: await listening(child, dataDir) };
  };
  let { child, url } = await start(firstPort);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  return {
    url,
    dataDir,
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM');
      ({ child, url } = await start(new URL(url).port));
    },
    [Symbol.asyncDispose]: async () => {
      await end('SIGKILL'); // nothing of its data is kept
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The same with Postgres and Redis, which end with it. */
export async function serveConsoleWithServices(): Promise<ServedConsole> {
  // Loaded here alone: most tests need neither.
  const { startPostgres, startRedisServer } = await import('@sluice/testing');
  const [postgres, redis] = await Promise.all([startPostgres(), startRedisServer()]);
  const endServices = () => Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
  try {
    const served = await serveConsole({
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
      SESSION_SECRET: 'a secret of forty-eight characters, for tests only',
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    });
    return {
      ...served,
      [Symbol.asyncDispose]: async () => {
        await served[Symbol.asyncDispose]();
        await endServices();
      },
    };
  } catch (error) {
    await endServices();
    throw error;
  }
}

async function listening(child: ChildProcess, dataDir: string): Promise<string> {
  if (child.stdout === null) throw new Error('The service has no stdout.');
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Sluice listens on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`The service ended before it listened: see ${join(dataDir, 'process.log')}`);
}
