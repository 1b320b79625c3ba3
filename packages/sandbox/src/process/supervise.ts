import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { MAX_TIMER_MS } from '@sluice/core/async';
import type { SandboxCommand, SandboxResult } from '@sluice/core/workspace';
import { createOutputBuffer } from './output-buffer.ts';
import { type OutputPipeOptions, type OutputPipes, openOutputPipes } from './output-pipes.ts';
import { isRunning } from './process-tree.ts';

/** `disk` fails the whole run: with a full disk, no result can be stored until the tree is removed. */
export type EndedBy = SandboxResult['endedBy'] | 'disk';

/** How often limits are polled. Between two polls a command may exceed one. */
const watchMs = 250;
/** Only a process stuck in the kernel outlives SIGKILL for this long. */
const dyingMs = 10_000;

/**
 * A file descriptor of the process: content to read, a pipe whose text goes to `status`, a handshake (the process writes a
 * line and waits for one before it starts, so that it cannot start after the service has died), or nothing.
 */
export type Descriptor = { readonly content: string | Buffer } | 'status' | 'handshake' | null;

export interface Launch {
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The connection of its output. */
  readonly output: Omit<OutputPipeOptions, 'signal'>;
  /** From file descriptor 3 on. */
  readonly descriptors: readonly Descriptor[];
  /** File descriptors that the child would inherit and must not have. */
  readonly masked: readonly number[];
}

export interface Supervision {
  /** Called four times a second. @returns the limit that is exceeded, or null */
  watch(rootPid: number): Promise<EndedBy | null>;
  /** Called when the first process is dead, to kill processes outside its group. */
  finish(): Promise<void>;
  /** Processes whose death means that the whole tree is dead. Called when all output has been read. */
  remaining(): readonly number[];
  /** Receives the text of a `status` descriptor. */
  status(text: string): void;
}

export interface Ended {
  readonly endedBy: EndedBy;
  /** Exit code of the process itself; null when a signal ended it. */
  readonly exitCode: number | null;
  readonly output: string;
  readonly truncated: boolean;
  readonly durationMs: number;
}

export interface Supervised {
  readonly ended: Promise<Ended>;
  /** Adds a line of Sluice to the output. */
  note(text: string): void;
}

/** Starts a process in a new process group. It and all that it started are dead before the promise settles. */
export function supervise(launch: Launch, command: SandboxCommand, supervision: Supervision): Supervised {
  const buffer = createOutputBuffer(command.limits.outputBytes);
  // An error of the listener ends the command. It must not propagate to the caller, which may be a socket of the proxy.
  const broken = new AbortController();
  const emit: Parts['emit'] = (stream, text) => {
    try {
      command.onOutput?.(stream, text);
    } catch (error) {
      broken.abort(error);
    }
  };
  const note = (text: string) => {
    buffer.note(text);
    emit('stderr', text);
  };
  return { ended: runToEnd({ launch, command, supervision, emit, broken: broken.signal }, buffer), note };
}

interface Parts {
  readonly launch: Launch;
  readonly command: SandboxCommand;
  readonly supervision: Supervision;
  emit(stream: 'stdout' | 'stderr', text: string): void;
  /** Aborts with the error of a listener. */
  readonly broken: AbortSignal;
}

async function runToEnd(
  { launch, command, supervision, emit, broken }: Parts,
  buffer: ReturnType<typeof createOutputBuffer>,
): Promise<Ended> {
  using pipes = await openOutputPipes({ ...launch.output, signal: command.signal });
  const startedAt = performance.now();
  const child = start(launch, pipes);
  let ending: EndedBy | null = null;
  let fault: unknown = null;
  let over = false;
  const end = (reason: EndedBy | null) => {
    // A poll that began before the end may report after it, when the group's id may belong to other processes.
    if (over) return;
    ending ??= reason;
    killGroup(child);
  };
  const fail = () => {
    fault ??= broken.reason;
    end(null);
  };
  broken.addEventListener('abort', fail, { once: true });
  if (broken.aborted) fail();

  for (const stream of ['stdout', 'stderr'] as const) {
    pipes[stream].on('data', (chunk: Buffer) => {
      const text = buffer.take(stream, chunk);
      if (text !== '') emit(stream, text);
      if (buffer.flooded()) end('output');
    });
  }
  feed(child, launch, supervision);
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', (error) => {
      fault ??= error;
      resolve(null);
    });
  });
  const closed = Promise.allSettled([child, pipes.stdout, pipes.stderr].map((each) => once(each, 'close')));
  const abort = () => end(null);
  command.signal.addEventListener('abort', abort, { once: true });
  if (command.signal.aborted) abort();
  const timer = setTimeout(() => end('timeout'), Math.min(command.limits.timeoutMs, MAX_TIMER_MS));
  let polling = false;
  const watcher = setInterval(() => {
    // One poll at a time, so that slow walks of a huge tree do not pile up.
    if (polling) return;
    polling = true;
    supervision
      .watch(child.pid ?? 0)
      .then((reason) => {
        if (reason !== null) end(reason);
      })
      .catch(() => undefined)
      .finally(() => {
        polling = false;
      });
  }, watchMs);

  const exitCode = await exited;
  clearTimeout(timer);
  clearInterval(watcher);
  killGroup(child);
  over = true;
  await supervision.finish();
  await settledWithin(1_000, closed);
  await allDead(supervision.remaining());
  command.signal.removeEventListener('abort', abort);
  command.signal.throwIfAborted();
  if (fault !== null) throw fault;
  return {
    endedBy: ending ?? 'exit',
    exitCode,
    ...buffer.finish(),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

function start(launch: Launch, output: OutputPipes): ChildProcess {
  const [program, ...rest] = launch.argv;
  const stdio: ('pipe' | 'ignore' | number)[] = ['ignore', ...output.ends];
  stdio.push(...launch.descriptors.map((each) => (each === null ? 'ignore' : 'pipe')));
  // Inherited descriptors cannot be closed from here, but /dev/null can replace them.
  const devNull = openSync('/dev/null', 'r+');
  try {
    for (const fd of launch.masked) {
      while (stdio.length <= fd) stdio.push('ignore');
      if (stdio[fd] === 'ignore') stdio[fd] = devNull;
    }
    return spawn(program, rest, { cwd: launch.folder, env: { ...launch.environment }, detached: true, stdio });
  } finally {
    closeSync(devNull);
    output.handOver();
  }
}

function feed(child: ChildProcess, launch: Launch, supervision: Supervision): void {
  launch.descriptors.forEach((each, index) => {
    // Node makes sockets here, which are bidirectional.
    const pipe = child.stdio[index + 3];
    if (!(pipe instanceof Duplex) || each === null) return;
    // The other end may already be dead, and then its input does not matter.
    pipe.on('error', () => undefined);
    if (each === 'status') pipe.on('data', (chunk: Buffer) => supervision.status(chunk.toString('utf8')));
    else if (each === 'handshake') pipe.once('data', () => pipe.end('\n'));
    else pipe.end(each.content);
  });
}

/** Sends SIGKILL to the whole group. Not SIGTERM first, which a foreign program may ignore. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is empty.
  }
}

/** Waits until processes are dead. @throws Error when one is stuck in the kernel */
async function allDead(pids: readonly number[]): Promise<void> {
  const giveUpAt = Date.now() + dyingMs;
  for (const pid of pids) {
    while (await isRunning(pid)) {
      if (Date.now() > giveUpAt) throw new Error('A process of the command did not die.');
      await pause(1);
    }
  }
}

/**
 * Waits for a promise for at most `ms` milliseconds. On a busy machine they may pass before the event loop has polled for
 * I/O, so it gets one more turn.
 */
async function settledWithin(ms: number, promise: Promise<unknown>): Promise<void> {
  const enough = new AbortController();
  const late = pause(ms, undefined, { signal: enough.signal }).then(
    () => turn(),
    () => undefined,
  );
  await Promise.race([promise, late]);
  enough.abort();
}
