export interface SandboxLimits {
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly processes: number;
  /** Largest single file that may be written, in bytes. */
  readonly fileBytes: number;
  /** How much the working tree may grow in all, in bytes. */
  readonly diskBytes: number;
  /** Output kept, in bytes; head and tail stay, the middle goes. A command far over it is ended. */
  readonly outputBytes: number;
}

export interface SandboxCommand {
  /** Run by `sh -c` in the working tree's root. */
  readonly command: string;
  /** Absolute path of the working tree: the one place that the command may write, besides a private /tmp. */
  readonly root: string;
  /** Git directory shown read-only at its own path, so that `git log` and `git status` work inside. */
  readonly gitDir: string | null;
  /** Hosts that may be reached, through an allow-list proxy; empty: no network at all. */
  readonly allowHosts: readonly string[];
  readonly limits: SandboxLimits;
  readonly signal: AbortSignal;
  onOutput?(stream: 'stdout' | 'stderr', text: string): void;
}

export interface SandboxResult {
  /** Null when a limit or a cancel ended it. */
  readonly exitCode: number | null;
  readonly endedBy: 'exit' | 'timeout' | 'memory' | 'output';
  /** stdout and stderr as they came, shortened in the middle when over the limit. */
  readonly output: string;
  readonly truncated: boolean;
  readonly durationMs: number;
}

/** Whether commands can run here, and how well they are held. */
export interface SandboxProbe {
  readonly kind: string;
  readonly usable: boolean;
  /** Why not, and the command that mends it; null when usable. */
  readonly problem: string | null;
  /** Limits that this host cannot enforce, in words. */
  readonly gaps: readonly string[];
  /** Toolchain folders shown read-only inside. */
  readonly readPaths: readonly string[];
}

export interface Sandbox {
  /** `bwrap` or `none`; shown with every plan and result when `none`. */
  readonly kind: 'bwrap' | 'none';
  /** Really runs a command; the answer is kept. */
  probe(): Promise<SandboxProbe>;
  /**
   * @throws AppError `disk_limit` when the command took too much of the disk, `disk_full` when the disk is down to its
   * reserve by no fault of this command. Nothing can be written down until the tree is removed.
   * @throws AppError `sandbox_unavailable` when commands cannot be held here (they are refused, never run bare)
   * @throws the signal's reason when cancelled, after the whole process tree is dead
   */
  run(command: SandboxCommand): Promise<SandboxResult>;
}
