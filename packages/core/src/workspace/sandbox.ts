export interface SandboxLimits {
  readonly timeoutMs: number;
  readonly memoryBytes: number;
  readonly processes: number;
  /** Largest single file that may be written, in bytes. */
  readonly fileBytes: number;
  /** How much the working tree may grow in all, in bytes. */
  readonly diskBytes: number;
  /** The limit on kept output, in bytes. The middle of longer output is dropped. A command far over the limit is killed. */
  readonly outputBytes: number;
}

export interface SandboxCommand {
  /** Run by `sh -c` in the working tree's root. */
  readonly command: string;
  /** Absolute path of the working tree. The command can write only there and in a private /tmp. */
  readonly root: string;
  /** Git directory, mounted read-only at its own path so that `git log` and `git status` work. */
  readonly gitDir: string | null;
  /** Further files and folders, mounted read-only: the path on this host and the one inside. Without isolation there are none. */
  readonly mounts?: readonly (readonly [host: string, inside: string])[] | undefined;
  /** The hosts on the allow-list of the egress proxy; empty: no network. */
  readonly allowHosts: readonly string[];
  /** The user whose names are looked up: `owner` of `HostQuestion`. */
  readonly owner: string;
  readonly limits: SandboxLimits;
  readonly signal: AbortSignal;
  onOutput?(stream: 'stdout' | 'stderr', text: string): void;
  /** Called once for each host that was refused, with a phrase that names it and the reason. */
  onRefused?(what: string): void;
}

export interface SandboxResult {
  /** Null when a limit or a cancel ended it. */
  readonly exitCode: number | null;
  /** `refused`: it only waited for hosts that were refused. */
  readonly endedBy: 'exit' | 'timeout' | 'memory' | 'output' | 'refused';
  /** stdout and stderr, interleaved, shortened in the middle when over the limit. */
  readonly output: string;
  readonly truncated: boolean;
  readonly durationMs: number;
}

/** Whether the sandbox works on this host, and how well it isolates commands. */
export interface SandboxProbe {
  readonly kind: string;
  readonly usable: boolean;
  /** The problem and the command that fixes it; null when usable. */
  readonly problem: string | null;
  /** Descriptions of limits that this host cannot enforce. */
  readonly gaps: readonly string[];
  /** Toolchain folders, mounted read-only. */
  readonly readPaths: readonly string[];
}

export interface Sandbox {
  /** `none` is shown with every plan and result. */
  readonly kind: 'bwrap' | 'none';
  /** Runs a test command and caches the result. */
  probe(): Promise<SandboxProbe>;
  /**
   * @throws AppError `disk_limit` when the command used too much disk space, `disk_full` when the disk reached its reserve
   * for another reason. In both cases nothing can be stored until the working tree is removed.
   * @throws AppError `sandbox_unavailable` when this host cannot isolate commands: they are refused, never run without
   * @throws the signal's reason when cancelled, after the whole process tree is dead
   */
  run(command: SandboxCommand): Promise<SandboxResult>;
}
