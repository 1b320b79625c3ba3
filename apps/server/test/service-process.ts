import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { builtProgram, freezeProcess } from '@sluice/testing';
import { newDataFolder } from './scratch-server.ts';

/** One process of the service, as an operator starts it. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Stops it in its tracks: it keeps its connections and its belief in its leases. */
  freeze(): void;
  thaw(): void;
  /** Tells it to stop, and waits until it has. */
  stop(): Promise<number | null>;
  /** Resolves when it has ended, with the signal that ended it. */
  readonly ended: Promise<NodeJS.Signals | null>;
}

/** Who runs the service; only root can start it as somebody else. */
export interface ServiceUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Starts the service with a new data folder, as on another host, and waits until it listens.
 *
 * @param nodeOptions Node's own, before the program
 * @param program what is started instead of the service as it is built, and as whom
 */
export async function startProcess(
  environment: Record<string, string>,
  nodeOptions: readonly string[] = [],
  { program, user }: { readonly program?: string; readonly user?: ServiceUser } = {},
): Promise<ServiceProcess> {
  const dataDir = environment.DATA_DIR ?? (await newDataFolder(environment));
  const log = openSync(join(dataDir, 'process.log'), 'a');
  const child = spawn(process.execPath, [...nodeOptions, program ?? (await builtProgram('server'))], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      HOME: dataDir,
      PORT: '0',
      LOG_LEVEL: 'info',
      ALLOW_LOCAL_REPOS: 'on', // for every person of a test, not only the first
      ...environment,
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', log],
    ...user,
  });
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  const url = await listening(child, join(dataDir, 'process.log'));
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
    return child.exitCode;
  };
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    kill: async () => void (await end('SIGKILL')),
    freeze: () => freezeProcess(child),
    thaw: () => void child.kill('SIGCONT'),
    stop: () => end('SIGTERM'),
    ended,
  };
}

async function listening(child: ChildProcess, log: string): Promise<string> {
  if (child.stdout === null) throw new Error('The process has no stdout.');
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const url = /^Sluice listens on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`The process ended before it listened: see ${log}`);
}
