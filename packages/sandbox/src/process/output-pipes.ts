import { execFile } from 'node:child_process';
import { chownSync, closeSync, constants, openSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net'; // house-rule(host-names): of an open descriptor
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const makingMs = 10_000;

export interface OutputPipeOptions {
  /** PATH to find mkfifo in. */
  readonly path: string;
  /** The user that the command runs as; null for the user of the service. */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
  readonly signal: AbortSignal;
}

/** The pipes for the output of a command. Disposing of them closes all ends that are still open here. */
export interface OutputPipes extends Disposable {
  readonly stdout: Socket;
  readonly stderr: Socket;
  /** The write ends, for the command's stdout and stderr. */
  readonly ends: readonly [stdout: number, stderr: number];
  /** Closes the service's write ends, so that the output ends when the command dies. */
  handOver(): void;
}

/**
 * Opens two pipes that a command can open by name: `> /dev/stderr` and `tee /dev/stdout` are common in test scripts and fail
 * (ENXIO) on the socket pairs that Node makes for stdio. The pipes must belong to the command's user, because opening
 * /proc/self/fd/2 checks owner and mode. Node cannot make a pipe, so these are FIFOs. Their names are removed before the
 * command starts, so that even a killed service leaves none behind.
 *
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
      // In this order neither open blocks, and the reader does not see an end of file before the first write.
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
    // A mkfifo that is being killed may still create an entry.
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
  let open: readonly number[] = [stdout.write, stderr.write];
  const handOver = () => {
    const closing = open;
    open = [];
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
