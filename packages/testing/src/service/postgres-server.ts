import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { databaseFolder, RUN_FOLDER } from '../run/run-folder.ts';
import { freePort } from './free-port.ts';
import { freezePid, freezeProcess } from './freeze-process.ts';
import { databasesOn, type PostgresDatabases } from './postgres-databases.ts';

/** A real Postgres server for the tests of one file, which can be killed, stopped, frozen and started again. */
export interface PostgresServer extends PostgresDatabases {
  /** The port on this host. */
  readonly port: number;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Ends it as its operator does: connections are ended, and what is committed is written to the disk. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Suspends it: its sockets stay open and nothing answers. */
  freeze(): void;
  thaw(): void;
}

const INSTALLED = '/usr/lib/postgresql';

/**
 * Starts the newest installed Postgres in a new folder, on a free port of this host.
 *
 * @param durable whether commits are flushed to the disk, as in production; left out: not, which saves a test time
 * @param connections how many it takes
 * @param settings others, as `name=value`
 */
export async function startPostgres({
  durable = false,
  connections = 100,
  settings: given = [] as readonly string[],
} = {}): Promise<PostgresServer> {
  const binaries = binariesFolder();
  const folder = mkdtempSync(join(durable ? tmpdir() : databaseFolder(), 'sluice-postgres-'));
  const owner = ordinaryUser();
  if ('uid' in owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  fillDataFolder(data, () => {
    const setup = ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
    execFileSync(join(binaries, 'initdb'), setup, { ...owner, stdio: 'ignore', cwd: folder });
  });
  const port = await freePort();
  let child: ChildProcess | null = null;
  let databases = 0;
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;

  async function end(signal: 'SIGQUIT' | 'SIGINT'): Promise<void> {
    if (child === null || hasEnded(child)) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    wakeAll(child); // a suspended process handles the signal only when it continues
    await gone;
    child = null;
  }

  const server: PostgresServer = {
    ...databasesOn({
      urlOf,
      nextName: () => {
        databases += 1;
        return `sluice_${databases}`;
      },
    }),
    port,
    start: async () => {
      const flushes = durable ? [] : ['fsync=off', 'full_page_writes=off'];
      const settings = [...flushes, ...given, 'listen_addresses=127.0.0.1', `max_connections=${connections}`];
      const options = [...settings, `unix_socket_directories=${folder}`].flatMap((setting) => ['-c', setting]);
      const started = spawn(join(binaries, 'postgres'), ['-D', data, '-p', String(port), ...options], {
        ...owner,
        stdio: 'ignore',
        cwd: folder,
      });
      child = started;
      await once(started, 'spawn');
      await answers(urlOf('postgres'), () => {
        if (hasEnded(started)) throw new Error(`Postgres did not start: it ended with ${started.exitCode}.`);
      });
    },
    kill: () => end('SIGQUIT'), // Postgres' own "immediate shutdown": no checkpoint, and its children end too
    stop: () => end('SIGINT'), // its "fast shutdown"
    freeze: () => {
      // The postmaster first, so that it starts no more processes, then its children: each leads a session.
      freezeProcess(child);
      for (const pid of childrenOf(child)) freezePid(pid);
    },
    thaw: () => wakeAll(child),
    [Symbol.asyncDispose]: async () => {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function wakeAll(postmaster: ChildProcess | null): void {
  const children = childrenOf(postmaster);
  postmaster?.kill('SIGCONT');
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGCONT');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it has ended meanwhile
    }
  }
}

function childrenOf(postmaster: ChildProcess | null): number[] {
  if (postmaster?.pid === undefined || hasEnded(postmaster)) return [];
  try {
    const children = readFileSync(`/proc/${postmaster.pid}/task/${postmaster.pid}/children`, 'utf8');
    return children.split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // it has ended meanwhile
  }
}

/** The first server of a run creates it and the others copy it: creating one takes several times as long. */
function fillDataFolder(data: string, make: () => void): void {
  const shared = process.env[RUN_FOLDER];
  const made = shared === undefined ? null : join(shared, 'postgres-data');
  const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to], { stdio: 'ignore' });
  if (made !== null && existsSync(made)) return void copy(made, data);
  make();
  if (made === null) return;
  const whole = `${made}-${process.pid}-${basename(dirname(data))}`;
  copy(data, whole);
  try {
    renameSync(whole, made); // atomic, so that no other process copies a part
  } catch (error) {
    rmSync(whole, { recursive: true, force: true });
    if (!existsSync(made)) throw error; // otherwise another test file won the race
  }
}

function binariesFolder(): string {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) throw new Error('Postgres is not installed: apt-get install postgresql');
  return join(INSTALLED, newest, 'bin');
}

/** Postgres refuses to run as root. */
function ordinaryUser(): { uid: number; gid: number } | Record<never, never> {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

const READY_WITHIN_MS = 120_000; // a second or two on a quiet machine

async function answers(url: string, check: () => void): Promise<void> {
  for (const began = Date.now(); ; await pause(20)) {
    check();
    const client = new Client(url);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() - began > READY_WITHIN_MS) throw error;
    }
  }
}
