import { totalmem } from 'node:os';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** What git may take of this host. */
export interface GitLimits {
  /** The memory of one process. */
  readonly memoryBytes: number;
  /** The size of a clone, and so of every single file that git writes. */
  readonly cloneBytes: number;
}

export const DEFAULT_GIT_LIMITS: GitLimits = {
  memoryBytes: 2 * GIB, // a clone of ten million objects, such as the Linux kernel's, takes more than 1 GiB
  cloneBytes: 8 * GIB,
};

/** The memory for a call that only lists refs: the whole answer is held, and compressed it costs the server nothing. */
export const LISTING_MEMORY_BYTES = 256 * MIB;

/**
 * All git processes of the service together, where a control group holds them. Threads count as processes, and each of
 * many calls at a time may have some thirty.
 */
export const GROUP_LIMITS = { memoryBytes: Math.max(4 * GIB, totalmem() / 2), processes: 4_096 };

/** Counts everything of a user, threads too, so it must leave room for a desktop. Root is not bound by it. */
const USER_PROCESSES = 16_384;

/** git's threads that compute at the same time: `frugal` allows as many. */
const THREADS = 4;

/** Settings with which git stays far below the limits on ordinary repositories. */
export const frugal = [
  ['pack.threads', String(THREADS)],
  ['pack.windowMemory', '64m'],
  ['pack.deltaCacheSize', '64m'],
  ['core.packedGitLimit', '512m'],
  ['core.packedGitWindowSize', '32m'],
  // A larger file is read and written in parts, and never compared with others.
  ['core.bigFileThreshold', '64m'],
] as const;

export interface ProcessLimits {
  readonly memoryBytes: number;
  readonly fileBytes: number;
  readonly timeoutMs: number;
  /** Files of a control group; git writes its process id to each. */
  readonly joinFiles: readonly string[];
}

/**
 * The command line of a git under resource limits, which hold for each process that it starts.
 *
 * Memory is bounded by what a process allocates (RLIMIT_DATA), not by its address space: git maps packs, which costs
 * no memory that the kernel cannot take back. Processor time only matters for a git that outlives the service. A file
 * that grows too large is a failed write with a reason (SIGXFSZ is ignored). A limit above what the service itself may
 * have cannot be set, and then the service's own holds. Where the control group is gone the other limits remain.
 */
export function limitedGit(args: readonly string[], limits: ProcessLimits): [string, ...string[]] {
  const { memoryBytes, fileBytes, timeoutMs, joinFiles } = limits;
  const lines = [
    'ulimit -c 0',
    `ulimit -d ${Math.ceil(memoryBytes / 1024)}`,
    `ulimit -f ${Math.ceil(fileBytes / 512)}`,
    `ulimit -t ${Math.ceil(timeoutMs / 1000) * THREADS}`,
    // dash calls it `-p`, other shells `-u`.
    `ulimit -u ${USER_PROCESSES} || ulimit -p ${USER_PROCESSES}`,
  ];
  const set = lines.map((line) => `{ ${line}; } 2>/dev/null`).join('; ');
  const join = 'while [ "$1" != -- ]; do { echo $$ > "$1"; } 2>/dev/null; shift; done; shift';
  return ['/bin/sh', '-c', `trap '' XFSZ; ${set}; ${join}; exec git "$@"`, 'sh', ...joinFiles, '--', ...args];
}
