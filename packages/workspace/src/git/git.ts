import type { Readable } from 'node:stream';
import { AppError } from '@sluice/core/error';
import type { ControlGroup } from '@sluice/core/workspace';
import { diskFull } from '@sluice/core/workspace';
import { watchDisk } from '../disk/watch-disk.ts';
import { byteSize } from './byte-size.ts';
import { type GitConfigPair, gitEnvironment } from './git-environment.ts';
import { gitFailure, redactGitOutput } from './git-failure.ts';
import { DEFAULT_GIT_LIMITS, type GitLimits, limitedGit, type ProcessLimits } from './git-limits.ts';
import { type GitProcess, startGit } from './git-process.ts';
import { gitOwnerMark } from './orphaned-git.ts';
import { type ReachedRemote, remoteConfig } from './reached-remote.ts';

/** The repository of a call. Always named: git never looks for a `.git` by itself. */
export interface GitPlace {
  readonly gitDir: string;
  readonly workTree?: string;
  /** A private index file, so that a call leaves no trace in the real one. */
  readonly indexFile?: string;
}

export interface GitCall {
  readonly at?: GitPlace;
  /** The remote that this call may talk to. Without it no transport is allowed at all. */
  readonly remote?: ReachedRemote;
  /** Sent to `remote`'s origin alone. */
  readonly token?: string | null;
  /** Whether the token is of somebody's account at the code host. */
  readonly byAccount?: boolean | undefined;
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Default 120 000. */
  readonly timeoutMs?: number;
  /** Default 64 MiB; a call that says more is ended. */
  readonly maxOutputBytes?: number;
  /** Memory of one process; default, and at most, that of the limits. */
  readonly memoryBytes?: number;
  /** The largest file that it may write; default, and at most, that of the limits. */
  readonly fileBytes?: number;
  /** A folder on the disk that it may fill: the call is ended when little is left there. */
  readonly fills?: string;
  /** Exit codes that are answers, not faults; default 0 alone. */
  readonly answers?: readonly number[];
  readonly signal?: AbortSignal;
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: Buffer;
}

export interface GitStream {
  readonly stdout: Readable;
  /** Settles as the call ends; rejects as `run` does. */
  readonly done: Promise<void>;
  /** Ends the call. Safe to repeat, and after its end. */
  stop(): void;
}

/** Runs git. Values that a user or a repository gave stand after `--` in `args`. */
export interface Git {
  /**
   * @throws AppError what `gitRefusals` has for what git said, `repo_too_large`, `disk_full`, `git_timeout`
   * @throws the signal's reason when cancelled, after the whole process group is dead
   */
  run(args: readonly string[], call?: GitCall): Promise<GitAnswer>;
  /** Like `run`, for output that is read as it comes. */
  stream(args: readonly string[], call?: GitCall): GitStream;
}

export interface GitOptions {
  /** The folders in which `git` is looked for, in the form of `PATH`; default the usual folders. */
  readonly searchPath?: string | undefined;
  /** Marks processes that belong to this folder, so that those of a dead service are found. */
  readonly ownerRoot?: string;
  /** Default `DEFAULT_GIT_LIMITS`. */
  readonly limits?: GitLimits | undefined;
  /** Holds all git processes together. Null or absent: each process is limited by itself. */
  readonly group?: Pick<ControlGroup, 'joinFiles'> | null | undefined;
}

const DEFAULT_SEARCH_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin';
const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_OUTPUT_BYTES = 64 * 1024 * 1024;
const STDERR_BYTES = 64 * 1024;
const NOT_FOUND = 127; // how a shell says that there is no such program

export function createGit(options: GitOptions): Git {
  const { memoryBytes, cloneBytes } = options.limits ?? DEFAULT_GIT_LIMITS;
  const mark: Record<string, string> = options.ownerRoot === undefined ? {} : gitOwnerMark(options.ownerRoot);
  const start = (args: readonly string[], call: GitCall, stdout: readonly Buffer[] = []): Supervised => {
    call.signal?.throwIfAborted();
    const env = {
      ...gitEnvironment(options.searchPath ?? DEFAULT_SEARCH_PATH, configOf(call)),
      ...mark,
      ...(call.at?.indexFile === undefined ? {} : { GIT_INDEX_FILE: call.at.indexFile }),
      ...call.env,
    };
    const limits = {
      memoryBytes: Math.min(memoryBytes, call.memoryBytes ?? memoryBytes),
      fileBytes: Math.min(cloneBytes, call.fileBytes ?? cloneBytes),
      timeoutMs: call.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      joinFiles: options.group?.joinFiles ?? [],
    };
    const argv = limitedGit([...placeArguments(call.at), ...args], limits);
    return supervise(startGit(argv, env), { subcommand: args[0] ?? '', limits, stdout }, call);
  };
  return {
    async run(args, call = {}) {
      const stdout: Buffer[] = [];
      const running = start(args, call, stdout);
      collect(running, stdout, call.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES);
      return { ...(await running.done), stdout: Buffer.concat(stdout) };
    },
    stream(args, call = {}) {
      const running = start(args, call);
      const done = running.done.then(() => undefined);
      done.catch(() => undefined); // a caller that stops reading early does not wait for the end
      return { stdout: running.process.child.stdout, done, stop: () => running.process.stop() };
    },
  };
}

interface Supervised {
  readonly process: GitProcess;
  readonly done: Promise<Omit<GitAnswer, 'stdout'>>;
  fail(error: AppError): void;
}

interface Started {
  readonly subcommand: string;
  readonly limits: ProcessLimits;
  /** The output so far, where that is collected. */
  readonly stdout: readonly Buffer[];
}

/** Watches one process: its time, its disk, its cancel, what it says on stderr, and how it ends. */
function supervise(process: GitProcess, { subcommand, limits, stdout }: Started, call: GitCall): Supervised {
  let fault: unknown;
  const fail = (error: unknown): void => {
    fault ??= error;
    process.stop();
  };
  const timer = setTimeout(() => fail(tooLong(subcommand, limits.timeoutMs, call)), limits.timeoutMs);
  const endWatch = call.fills === undefined ? null : watchDisk(call.fills, (space) => fail(diskFull(space)));
  const onAbort = (): void => fail(call.signal?.reason);
  call.signal?.addEventListener('abort', onAbort, { once: true });
  const stderr = lastLines(process.child.stderr, STDERR_BYTES);
  process.child.stdin.end(call.input ?? '');
  const judge = async (): Promise<Omit<GitAnswer, 'stdout'>> => {
    try {
      const { exitCode } = await process.closed.catch((cause: unknown) => {
        throw notStarted(cause);
      });
      if (fault !== undefined) throw fault;
      if (exitCode !== null && (call.answers ?? [0]).includes(exitCode)) return { exitCode };
      if (exitCode === NOT_FOUND) throw notStarted(new Error(stderr()));
      const safe = (text: string): string => redactGitOutput(text, secretsOf(call.token));
      const report = subcommand === 'push' ? Buffer.concat(stdout).toString('utf8') : '';
      throw gitFailure(
        { exitCode, stderr: safe(stderr()), report: safe(report) },
        { subcommand, remote: call.remote !== undefined, byAccount: call.byAccount === true, limits },
      );
    } finally {
      clearTimeout(timer);
      endWatch?.();
      call.signal?.removeEventListener('abort', onAbort);
    }
  };
  return { process, done: judge(), fail };
}

function collect(running: Supervised, chunks: Buffer[], limit: number): void {
  let bytes = 0;
  running.process.child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limit) chunks.push(chunk);
    else running.fail(new AppError('repo_too_large', { detail: `git gave more output than ${byteSize(limit)}.` }));
  });
}

/** Whole lines alone: what follows a cut would not show that the other side sent it. */
function lastLines(stream: Readable, limit: number): () => string {
  let kept = '';
  let isCut = false;
  stream.setEncoding('utf8').on('data', (text: string) => {
    const all = kept + text;
    isCut ||= all.length > limit;
    kept = all.slice(-limit);
  });
  return () => (isCut ? kept.replace(/^.*\n?/, '') : kept);
}

function tooLong(subcommand: string, timeoutMs: number, call: GitCall): AppError {
  const seconds = Math.round(timeoutMs / 1000);
  // A server that sends nothing is noticed long before: this one sent too much, or too slowly to be worth another try.
  if (subcommand === 'fetch') {
    return new AppError('repo_too_large', {
      detail: `Fetching the repository took longer than ${seconds} s. Try again.`,
    });
  }
  // Patterns and files of the repository decide how long git takes here, so it is not tried again by itself.
  return call.remote === undefined
    ? new AppError('git_timeout', { detail: `git ${subcommand} took longer than ${seconds} s.` })
    : new AppError('remote_unreachable', { detail: `The repository's server took longer than ${seconds} s.` });
}

function notStarted(cause: unknown): AppError {
  return new AppError('git_failed', { detail: 'git could not be started: is it installed?' }, { cause });
}

function placeArguments(at: GitPlace | undefined): string[] {
  if (at === undefined) return [];
  const tree = at.workTree === undefined ? [] : [`--work-tree=${at.workTree}`];
  return [`--git-dir=${at.gitDir}`, ...tree];
}

function configOf(call: GitCall): readonly GitConfigPair[] {
  return call.remote === undefined ? [] : remoteConfig(call.remote, call.token ?? null);
}

function secretsOf(token: string | null | undefined): string[] {
  if (token === null || token === undefined) return [];
  return [token, encodeURIComponent(token), Buffer.from(`x-access-token:${token}`).toString('base64')];
}
