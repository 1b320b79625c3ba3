import { execFile } from 'node:child_process';
import { chownSync, closeSync, constants, openSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const makingMs = 10_000;

export interface OutputPipeOptions {
  /** PATH to find mkfifo in. */
  readonly path: string;
  /** Who the command runs as; null when that is the service's own user. */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  readonly signal: AbortSignal;
}

/** Where a command's output comes out. Disposing of it closes whatever of it is still open here. */
export interface OutputPipes extends Disposable {
  readonly stdout: Socket;
  readonly stderr: Socket;
  /** The write ends, for the command's stdout and stderr. */
  readonly ends: readonly [stdout: number, stderr: number];
  /** Closes our own write ends, so that the command's death is the end of its output. */
  handOver(): void;
}

/**
 * Two pipes that a command can open by name: `> /dev/stderr` and `tee /dev/stdout` are common in test scripts, and they fail
 * (ENXIO) on the socket pairs that Node makes for stdio. A pipe must belong to the command's user besides, because opening
 * /proc/self/fd/2 asks its owner and mode. Node has no call for a pipe, so these are FIFOs, and their names are gone again before
 * anybody gets them: not even a service that is killed leaves any of a command that runs.
 * @throws the signal's reason; Error of the file system or of mkfifo
 */
export async function openOutputPipes({ path, owner, signal }: OutputPipeOptions): Promise<OutputPipes> {
  signal.throwIfAborted();
  const opened: number[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'sluice-output-'));
  try {
    const names = [join(folder, 'stdout'), join(folder, 'stderr')] as const;
    await run('mkfifo', ['-m', '600', ...names], {
      env: { PATH: path },
      timeout: makingMs,
      killSignal: 'SIGKILL',
      signal,
    });
    const open = (name: string) => {
      // In this order neither waits for the other, and no reader meets an end before there was a beginning.
      const read = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
      opened.push(read);
      const write = openSync(name, constants.O_WRONLY);
      opened.push(write);
      if (owner !== null) chownSync(name, owner.uid, owner.gid);
      return { read, write };
    };
    const [stdout, stderr] = [open(names[0]), open(names[1])];
    rmSync(folder, { recursive: true });
    signal.throwIfAborted();
    return pipesOf(stdout, stderr);
  } catch (error) {
    for (const fd of opened) closeSync(fd);
    // A mkfifo that is being killed may still add to it.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    signal.throwIfAborted();
    throw error;
  }
}

interface Ends {
  readonly read: number;
  readonly write: number;
}

function pipesOf(stdout: Ends, stderr: Ends): OutputPipes {
  const reader = ({ read }: Ends) => new Socket({ fd: read, readable: true, writable: false });
  const [out, err] = [reader(stdout), reader(stderr)];
  let ours: readonly number[] = [stdout.write, stderr.write];
  const handOver = () => {
    const closing = ours;
    ours = [];
    for (const fd of closing) closeSync(fd);
  };
  return {
    stdout: out,
    stderr: err,
    ends: [stdout.write, stderr.write],
    handOver,
    [Symbol.dispose]() {
      handOver();
      out.destroy();
      err.destroy();
    },
  };
}
