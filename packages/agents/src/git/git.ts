import type { Readable } from 'node:stream';
import { AppError } from '@sluice/core';
import { type GitConfigPair, gitEnvironment } from './git-environment.ts';
import { GitExit, gitFailure, redactGitOutput } from './git-failure.ts';
import { type GitProcess, startGit } from './git-process.ts';
import { gitOwnerMark } from './orphaned-git.ts';
import { type ReachedRemote, remoteConfig } from './reached-remote.ts';

/** Where a call works. Always said outright: git never looks for a `.git` by itself. */
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
  /** Exit codes that are answers, not faults; default 0 alone. */
  readonly answers?: readonly number[];
  readonly signal?: AbortSignal;
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** Redacted. */
  readonly stderr: string;
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
   * @throws AppError `remote_unreachable` when the remote did not answer as it should, `git_failed` otherwise
   * @throws the signal's reason when cancelled, after the whole process group is dead
   */
  run(args: readonly string[], call?: GitCall): Promise<GitAnswer>;
  /** As `run`, for output that is read as it comes. */
  stream(args: readonly string[], call?: GitCall): GitStream;
}

export interface GitOptions {
  /** Where `git` is looked for, as in `PATH`; default the usual folders. */
  readonly searchPath?: string | undefined;
  /** Marks processes that belong to this folder, so that those of a dead service are found. */
  readonly ownerRoot?: string;
}

const DEFAULT_SEARCH_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin';
const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_OUTPUT_BYTES = 64 * 1024 * 1024;
const STDERR_BYTES = 64 * 1024;

export function createGit(options: GitOptions): Git {
  const mark: Record<string, string> = options.ownerRoot === undefined ? {} : gitOwnerMark(options.ownerRoot);
  const start = (args: readonly string[], call: GitCall): Supervised => {
    call.signal?.throwIfAborted();
    const env = {
      ...gitEnvironment(options.searchPath ?? DEFAULT_SEARCH_PATH, configOf(call)),
      ...mark,
      ...(call.at?.indexFile === undefined ? {} : { GIT_INDEX_FILE: call.at.indexFile }),
      ...call.env,
    };
    return supervise(startGit([...placeArguments(call.at), ...args], env), args[0] ?? '', call);
  };
  return {
    async run(args, call = {}) {
      const running = start(args, call);
      const stdout = collect(running, call.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES);
      return { ...(await running.done), stdout: Buffer.concat(stdout) };
    },
    stream(args, call = {}) {
      const running = start(args, call);
      const done = running.done.then(() => undefined);
      done.catch(() => undefined); // whoever stops reading early does not wait for the end
      return { stdout: running.process.child.stdout, done, stop: () => running.process.stop() };
    },
  };
}

interface Supervised {
  readonly process: GitProcess;
  readonly done: Promise<Omit<GitAnswer, 'stdout'>>;
  fail(error: AppError): void;
}

/** Watches one process: its time, its cancel, what it says on stderr, and how it ends. */
function supervise(process: GitProcess, subcommand: string, call: GitCall): Supervised {
  let fault: unknown;
  const fail = (error: unknown): void => {
    fault ??= error;
    process.stop();
  };
  const timeoutMs = call.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const timer = setTimeout(() => fail(tooLong(subcommand, timeoutMs, call)), timeoutMs);
  const onAbort = (): void => fail(call.signal?.reason);
  call.signal?.addEventListener('abort', onAbort, { once: true });
  let stderr = '';
  process.child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_BYTES);
  });
  process.child.stdin.end(call.input ?? '');
  const judge = async (): Promise<Omit<GitAnswer, 'stdout'>> => {
    try {
      const { exitCode } = await process.closed.catch((cause: unknown) => {
        throw new AppError('git_failed', { detail: 'git could not be started: is it installed?' }, { cause });
      });
      if (fault !== undefined) throw fault;
      const safe = redactGitOutput(stderr, secretsOf(call.token));
      if (exitCode !== null && (call.answers ?? [0]).includes(exitCode)) return { exitCode, stderr: safe };
      throw gitFailure(new GitExit(subcommand, exitCode, safe), {
        subcommand,
        remote: call.remote !== undefined,
        byAccount: call.byAccount === true,
      });
    } finally {
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', onAbort);
    }
  };
  return { process, done: judge(), fail };
}

function collect(running: Supervised, limit: number): Buffer[] {
  const chunks: Buffer[] = [];
  let bytes = 0;
  running.process.child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limit) chunks.push(chunk);
    else running.fail(new AppError('git_failed', { detail: `git gave more output than ${limit} bytes.` }));
  });
  return chunks;
}

function tooLong(subcommand: string, timeoutMs: number, call: GitCall): AppError {
  const seconds = Math.round(timeoutMs / 1000);
  return call.remote === undefined
    ? new AppError('git_failed', { detail: `git ${subcommand} took longer than ${seconds} s.` })
    : new AppError('remote_unreachable', { detail: `The repository's server took longer than ${seconds} s.` });
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
