import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

type GitChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** A running git with all that it has started. */
export interface GitProcess {
  readonly child: GitChild;
  /** Settles when the process has ended and nothing holds its pipes any more. Rejects when it could not start. */
  readonly closed: Promise<{ exitCode: number | null }>;
  /** Ends the whole group: politely, so that git takes its lock files away, and soon after by force. */
  stop(): void;
}

const GRACE_MS = 300; // enough for git to unlink its lock files; more only delays a cancel

/**
 * Starts git as the leader of a new process group. Killing only the leader leaves `git-remote-http` alive,
 * which then holds the pipes: the call would never end.
 *
 * @param argv as `limitedGit` makes it
 */
export function startGit(argv: [string, ...string[]], env: Record<string, string>): GitProcess {
  const [program, ...args] = argv;
  const child = spawn(program, args, { cwd: '/', detached: true, env, stdio: ['pipe', 'pipe', 'pipe'] });
  // A process that ends without reading its input is no fault of ours: its exit code tells.
  child.stdin.on('error', () => undefined);
  let stopped = false;
  let force: NodeJS.Timeout | undefined;
  const closed = new Promise<{ exitCode: number | null }>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      if (stopped) killGroup(child.pid, 'SIGKILL');
    });
    child.once('close', (exitCode) => {
      stopped = true; // its number may be somebody else's from now on
      clearTimeout(force);
      resolve({ exitCode });
    });
  });
  return {
    child,
    closed,
    stop() {
      if (stopped) return;
      stopped = true;
      killGroup(child.pid, 'SIGTERM');
      force = setTimeout(() => killGroup(child.pid, 'SIGKILL'), GRACE_MS);
    },
  };
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}
