import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ChromaClient } from 'chromadb';
import { freePort } from './free-port.ts';
import { freezeProcess } from './freeze-process.ts';
import { newerGlibc } from './newer-glibc.ts';

/** A real Chroma server for tests, which can be killed, stopped in its tracks, brought back and emptied. */
export interface ChromaServer extends AsyncDisposable {
  readonly url: URL;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it in its tracks: its sockets stay open and nothing answers. */
  freeze(): void;
  thaw(): void;
  /** Brings it back with nothing of what it held. */
  startEmpty(): Promise<void>;
}

/**
 * Starts the server that comes with `chromadb`, on a free port of this host, in a new folder.
 *
 * @throws Error that says what is missing where it cannot run
 */
export async function startChromaServer(): Promise<ChromaServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-chroma-'));
  const data = join(folder, 'data');
  const port = await freePort();
  const url = new URL(`http://127.0.0.1:${port}`);
  const launched = [...newerGlibc(), process.execPath, program(), 'run', '--path', data, '--port', String(port)];
  let child: ChildProcess | null = null;
  const server: ChromaServer = {
    url,
    start: async () => {
      const [command = process.execPath, ...args] = launched;
      const started = spawn(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
      const output: string[] = [];
      started.stderr.setEncoding('utf8').on('data', (text: string) => output.push(text));
      await once(started, 'spawn');
      child = started;
      await answers(url, () => {
        if (started.exitCode !== null || started.signalCode !== null)
          throw new Error(`Chroma's server did not start: ${output.join('').trim()}`);
      });
    },
    kill: async () => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL'); // after SIGTERM it stops listening and stays
      await gone;
      child = null;
    },
    startEmpty: async () => {
      await server.kill();
      rmSync(data, { recursive: true, force: true });
      await server.start();
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

/** The package names only its client in its exports. */
function program(): string {
  const client = createRequire(import.meta.url).resolve('chromadb');
  return join(dirname(client), '..', 'cli.mjs');
}

const READY_WITHIN_MS = 120_000; // a second or two on a quiet machine

async function answers(url: URL, check: () => void): Promise<void> {
  for (const began = Date.now(); ; await pause(20)) {
    check();
    try {
      const fetchOptions = { signal: AbortSignal.timeout(30_000) };
      await new ChromaClient({ host: url.hostname, port: Number(url.port), fetchOptions }).heartbeat();
      return;
    } catch (error) {
      if (Date.now() - began > READY_WITHIN_MS) throw error;
    }
  }
}
