import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import type { SandboxCommand, SandboxResult } from '@sluice/core';
import { createOutputBuffer } from './output-buffer.ts';
import { type OutputPipeOptions, type OutputPipes, openOutputPipes } from './output-pipes.ts';
import { isRunning } from './process-tree.ts';

/** `disk` becomes an error of the whole run: nothing can be written down before the tree is gone. */
export type EndedBy = SandboxResult['endedBy'] | 'disk';

/** How often watches look. Between two looks a command may go past a limit, so they are a net, not a wall. */
const watchMs = 250;
/** Nothing outlives SIGKILL this long except a process stuck in the kernel. */
const dyingMs = 10_000;
const longestTimerMs = 2_147_483_647;

/**
 * What lies behind a file descriptor of the process: content that it reads, a pipe whose text goes to `status`, a leash (it
 * writes a line and waits for ours before it starts, so that it never starts when we are dead), or nothing.
 */
export type Descriptor = { readonly content: string | Buffer } | 'status' | 'leash' | null;

export interface Launch {
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Where its output is to come out. */
  readonly output: Omit<OutputPipeOptions, 'signal'>;
  /** From file descriptor 3 on. */
  readonly descriptors: readonly Descriptor[];
  /** File descriptors that the child would get by inheritance and must not have. */
  readonly masked: readonly number[];
}

export interface Supervision {
  /** Asked four times a second: a limit that is broken, or null. */
  watch(rootPid: number): Promise<EndedBy | null>;
  /** Called when the first process is dead: kills what killing its group does not. */
  finish(): Promise<void>;
  /** Processes whose death means that the whole tree is dead; asked when all that they wrote has been read. */
  remaining(): readonly number[];
  /** What came over a `status` descriptor. */
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
  /** Adds a line of ours to the output. */
  note(text: string): void;
}

/** Starts a process in a group of its own and sees to it that it, and all it started, is dead before the promise settles. */
export function supervise(launch: Launch, command: SandboxCommand, supervision: Supervision): Supervised {
  const buffer = createOutputBuffer(command.limits.outputBytes);
  // A listener that throws ends the command; it must not throw into whatever has told it, which may be the proxy's own socket.
  const broken = new AbortController();
  const tell: Parts['tell'] = (stream, text) => {
    try {
      command.onOutput?.(stream, text);
    } catch (error) {
      broken.abort(error);
    }
  };
  const note = (text: string) => {
    buffer.note(text);
    tell('stderr', text);
  };
  return { ended: runToEnd({ launch, command, supervision, tell, broken: broken.signal }, buffer), note };
}

interface Parts {
  readonly launch: Launch;
  readonly command: SandboxCommand;
  readonly supervision: Supervision;
  tell(stream: 'stdout' | 'stderr', text: string): void;
  /** Aborts with what a listener threw. */
  readonly broken: AbortSignal;
}

async function runToEnd(
  { launch, command, supervision, tell, broken }: Parts,
  buffer: ReturnType<typeof createOutputBuffer>,
): Promise<Ended> {
  using pipes = await openOutputPipes({ ...launch.output, signal: command.signal });
  const startedAt = performance.now();
  const child = start(launch, pipes);
  let ending: EndedBy | null = null;
  let fault: unknown = null;
  let over = false;
  const end = (reason: EndedBy | null) => {
    // A look that began before the end may answer after it, when the group's number may be somebody else's.
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
      if (text !== '') tell(stream, text);
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
  const timer = setTimeout(() => end('timeout'), Math.min(command.limits.timeoutMs, longestTimerMs));
  let looking = false;
  const watcher = setInterval(() => {
    // One look at a time: a slow walk of a huge tree must not pile up.
    if (looking) return;
    looking = true;
    supervision
      .watch(child.pid ?? 0)
      .then((reason) => {
        if (reason !== null) end(reason);
      })
      .catch(() => undefined)
      .finally(() => {
        looking = false;
      });
  }, watchMs);

  const exitCode = await exited;
  clearTimeout(timer);
  clearInterval(watcher);
  killGroup(child);
  over = true;
  await supervision.finish();
  await within(1_000, closed);
  await gone(supervision.remaining());
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
  // What is inherited cannot be closed from here, but /dev/null can be put in its place.
  const nothing = openSync('/dev/null', 'r+');
  try {
    for (const fd of launch.masked) {
      while (stdio.length <= fd) stdio.push('ignore');
      if (stdio[fd] === 'ignore') stdio[fd] = nothing;
    }
    return spawn(program, rest, { cwd: launch.folder, env: { ...launch.environment }, detached: true, stdio });
  } finally {
    closeSync(nothing);
    output.handOver();
  }
}

function feed(child: ChildProcess, launch: Launch, supervision: Supervision): void {
  launch.descriptors.forEach((each, index) => {
    // Node makes them as sockets, which go both ways.
    const pipe = child.stdio[index + 3];
    if (!(pipe instanceof Duplex) || each === null) return;
    // The other end may be dead already; what it then misses does not matter.
    pipe.on('error', () => undefined);
    if (each === 'status') pipe.on('data', (chunk: Buffer) => supervision.status(chunk.toString('utf8')));
    else if (each === 'leash') pipe.once('data', () => pipe.end('\n'));
    else pipe.end(each.content);
  });
}

/** SIGKILL to the whole group. Not SIGTERM first: what runs here is not ours, and it may ignore it. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody left in the group.
  }
}

/** Waits until processes are dead. @throws Error when one is stuck in the kernel */
async function gone(pids: readonly number[]): Promise<void> {
  const giveUpAt = Date.now() + dyingMs;
  for (const pid of pids) {
    while (await isRunning(pid)) {
      if (Date.now() > giveUpAt) throw new Error('A process of the command did not die.');
      await pause(1);
    }
  }
}

/**
 * Waits for a promise, but no longer than some milliseconds. On a busy machine they may have passed before anybody has
 * looked for what is there by now: that is looked for then.
 */
async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const enough = new AbortController();
  const late = pause(ms, undefined, { signal: enough.signal }).then(
    () => turn(),
    () => undefined,
  );
  await Promise.race([promise, late]);
  enough.abort();
}
