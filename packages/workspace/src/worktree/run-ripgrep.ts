import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';

export interface RipgrepCall {
  readonly arguments: readonly string[];
  /** The folder that is searched. */
  readonly folder: string;
  /** The user that runs it; null: that of this process. */
  readonly uid: number | null;
  readonly timeoutMs: number;
  /** Takes one line of the output, null for one that was too long to be kept. @returns whether more is wanted */
  onLine(line: Buffer | null): boolean;
}

export interface RipgrepEnd {
  readonly exitCode: number | null;
  readonly stderr: string;
  /** Whether it was ended before it was done: because no more was wanted, or its time or output were used up. */
  readonly isCut: boolean;
}

const MAX_LINE_BYTES = 4 * 1024 * 1024; // a line of 1 MiB, escaped, fits; one with a hundred thousand matches in it does not
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const STDERR_BYTES = 16 * 1024;

/**
 * Runs ripgrep with an empty environment, ended by force when it has gone on for long enough.
 *
 * @throws the signal's reason when cancelled, after the process is dead
 */
export async function runRipgrep(call: RipgrepCall, signal: AbortSignal): Promise<RipgrepEnd> {
  // Not at the top: on a platform without a build of it, importing throws.
  const { rgPath } = await import('@vscode/ripgrep');
  signal.throwIfAborted();
  const binary = call.uid === null || process.platform !== 'linux' ? null : await open(rgPath, 'r');
  try {
    return await supervise(start(call, { rgPath, binary }), call, signal);
  } finally {
    await binary?.close();
  }
}

/**
 * Another user may not be allowed to go to where ripgrep is installed, or to where the tree lies. So the program is
 * opened, and the folder entered, before the child gives up what it may.
 */
function start(call: RipgrepCall, { rgPath, binary }: { rgPath: string; binary: FileHandle | null }): ChildProcess {
  return spawn(binary === null ? rgPath : '/proc/self/fd/3', call.arguments, {
    argv0: 'rg',
    cwd: call.folder,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe', ...(binary === null ? [] : [binary.fd])],
    ...(call.uid === null ? {} : { uid: call.uid, gid: call.uid }),
  });
}

async function supervise(child: ChildProcess, call: RipgrepCall, signal: AbortSignal): Promise<RipgrepEnd> {
  let isCut = false;
  const cut = (): void => {
    isCut = true;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(cut, call.timeoutMs);
  signal.addEventListener('abort', cut, { once: true });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, STDERR_BYTES);
  });
  let bytes = 0;
  const split = splitLines((line) => {
    if (!isCut && !call.onLine(line)) cut();
  });
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT_BYTES) cut();
    else split(chunk);
  });
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    signal.throwIfAborted();
    return { exitCode, stderr, isCut };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cut);
  }
}

/** Hands out whole lines, without their end; null for one that is longer than what is kept. */
function splitLines(onLine: (line: Buffer | null) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer): void => {
    length += part.length;
    if (length <= MAX_LINE_BYTES) parts.push(part);
    else parts = [];
  };
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, end));
      onLine(length <= MAX_LINE_BYTES ? Buffer.concat(parts) : null);
      parts = [];
      length = 0;
      from = end + 1;
    }
    add(chunk.subarray(from));
  };
}
