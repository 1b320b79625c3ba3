import type {
  AgentRunner,
  BaseBranches,
  Budget,
  Clock,
  CodeHost,
  CodeHostInbox,
  CodeHostIndex,
  CodeHostTokens,
  CodeIndex,
  Ids,
  IssueStore,
  JobDriver,
  JobSink,
  ProjectCommands,
  RepoStore,
  RunStore,
  Sandbox,
  SandboxLimits,
  Signals,
  Telemetry,
  TokenCipher,
  UpkeepStore,
  Workspaces,
} from '@sluice/core';

/** What the worker says to its operator. pino's logger fits. Fields never hold a secret, a token or file contents. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** All that the worker works with: ports of the domain, put together by whoever starts it. */
export interface WorkerDeps {
  readonly issues: IssueStore;
  readonly runs: RunStore;
  readonly repos: RepoStore;
  readonly upkeep: UpkeepStore;
  readonly workspaces: Workspaces;
  /** Says whether a base branch has moved, for a plan that is made anew. */
  readonly bases: BaseBranches;
  readonly sandbox: Sandbox;
  readonly codeIndex: CodeIndex;
  readonly agents: AgentRunner;
  readonly commands: ProjectCommands;
  readonly cipher: TokenCipher;
  /** Null where no code host is configured. */
  readonly codehost: CodeHost | null;
  readonly codehostIndex: CodeHostIndex;
  readonly codehostInbox: CodeHostInbox;
  /** Null where no code host is configured. */
  readonly codehostTokens: CodeHostTokens | null;
  /** Where people see Sluice: what is written at the code host links back to it. */
  readonly publicUrl: URL;
  readonly signals: Signals;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Brings issues; as a sink it also takes what the sweep found, which no commit of this process told of. */
  readonly driver: JobDriver & JobSink;
  readonly telemetry: Telemetry;
  readonly log: Log;
}

/** How the worker works. All durations are milliseconds. */
export interface WorkerOptions {
  /** Names this process in leases; unique among all that share the database. */
  readonly owner: string;
  /** How many issues are driven at a time. */
  readonly concurrency: number;
  /** How long a claim lasts without renewal: a dead process's issues wait this long. Renewed three times as often. */
  readonly leaseMs: number;
  /** The pause between two sweeps. */
  readonly maintenanceMs: number;
  readonly stageTimeoutMs: number;
  /** How long a plan waits for a decision; 0 = for ever. */
  readonly gateTimeoutMs: number;
  /** How long a failed issue keeps its working tree. */
  readonly workspaceTtlMs: number;
  /** How long an ended issue keeps all of its history; null: for ever. */
  readonly eventRetentionMs: number | null;
  /** The most that an issue without a budget of its own may take. */
  readonly budget: Budget;
  /** How often `test` and `review` may send the pipeline back to `implement` before it gives up. */
  readonly bounds: { readonly testSendBacks: number; readonly reviewSendBacks: number };
  readonly sandboxLimits: {
    readonly setup: SandboxLimits;
    readonly test: SandboxLimits;
    /** For commands that an agent runs. */
    readonly agent: SandboxLimits;
  };
  /** Hosts that a setup command may reach where the repository's `setup_network` is on. */
  readonly setupAllowHosts: readonly string[];
  /** How often the code host is asked what has changed in a repository; 0: never. */
  readonly codehostPollMs: number;
}

/** The worker's usual bounds: enough for a change that is nearly right, too few to burn a budget on one that is not. */
export const DEFAULT_BOUNDS: WorkerOptions['bounds'] = { testSendBacks: 3, reviewSendBacks: 2 };
