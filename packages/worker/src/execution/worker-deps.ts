import type { TokenCipher } from '@sluice/core/account';
import type { AgentRunner, RunStore } from '@sluice/core/agent';
import type { Clock, Timers } from '@sluice/core/async';
import type { AttachmentStore, PictureCodec } from '@sluice/core/attachment';
import type { AuditSealer } from '@sluice/core/audit';
import type { BudgetStore } from '@sluice/core/budget';
import type { CodeHost, CodeHostInbox, CodeHostTokens } from '@sluice/core/code-host';
import type { CodeIndex } from '@sluice/core/code-search';
import type { CodeHostIndex } from '@sluice/core/hosted-issue';
import type { Ids } from '@sluice/core/id';
import type { IssueStore, JobDriver, JobSink, Signals } from '@sluice/core/issue';
import type { MemberStore } from '@sluice/core/member';
import type { DeliveryQueue, NotificationSender, UnsubscribeTokens } from '@sluice/core/notification';
import type { MaintenanceStore, Telemetry, WorkerProcess, WorkerStore } from '@sluice/core/operation';
import type { OutcomeStore } from '@sluice/core/outcome';
import type { Budget } from '@sluice/core/pipeline';
import type { RepoStore } from '@sluice/core/repo';
import type {
  BaseBranches,
  BranchStandings,
  ProjectCommands,
  Sandbox,
  SandboxLimits,
  SandboxProbe,
  Workspaces,
} from '@sluice/core/workspace';

/** The operator's log; pino's logger fits. Fields never contain a secret, a token or file contents. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** The ports for notifications. */
export interface NotificationPorts {
  readonly sender: NotificationSender;
  readonly unsubscribeTokens: UnsubscribeTokens;
}

/** The ports that the worker uses. Each part names the ones it needs with `Pick`. */
export interface WorkerDeps {
  readonly issues: IssueStore;
  readonly runs: RunStore;
  readonly attachments: Pick<AttachmentStore, 'ofIssue' | 'content' | 'put'>;
  /** Draws the pictures of imported issues. */
  readonly pictures: PictureCodec;
  readonly repos: RepoStore;
  readonly members: Pick<MemberStore, 'approversAmong' | 'mirror'>;
  readonly budgets: Pick<BudgetStore, 'bounding' | 'book' | 'warn' | 'queueHeld'>;
  readonly maintenance: MaintenanceStore;
  readonly workers: Pick<WorkerStore, 'put' | 'remove'>;
  readonly workspaces: Workspaces;
  /** Checks whether a base branch has moved before a plan is revised. */
  readonly bases: BaseBranches;
  /** Compares the branches of open pull requests with their base branches. */
  readonly standings: BranchStandings;
  readonly sandbox: Sandbox;
  /** The result of trying the sandbox; null until it was tried. The same object as long as nothing has changed. */
  triedSandbox(): SandboxProbe | null;
  readonly codeIndex: CodeIndex;
  readonly agents: AgentRunner;
  readonly commands: ProjectCommands;
  readonly cipher: TokenCipher;
  /** Null where no code host is configured. */
  readonly codehost: CodeHost | null;
  readonly codehostIndex: CodeHostIndex;
  readonly codehostInbox: CodeHostInbox;
  /** Takes what the code host says of published pull requests. */
  readonly outcomes: Pick<OutcomeStore, 'get' | 'note'>;
  /** Null where no code host is configured. */
  readonly codehostTokens: CodeHostTokens | null;
  /** Null where this process seals nothing. */
  readonly auditSealer: AuditSealer | null;
  readonly deliveries: DeliveryQueue;
  /** Null where this process sends no notifications. */
  readonly notifying: NotificationPorts | null;
  /** The public address of the service, for links in texts at the code host and in notifications. */
  readonly publicUrl: URL;
  readonly signals: Signals;
  readonly clock: Clock;
  /** Every wait and every measured duration of the worker. */
  readonly timers: Timers;
  readonly ids: Ids;
  /** Delivers runnable issues. As a sink it also takes those that the lease sweep found. */
  readonly driver: JobDriver & JobSink;
  readonly telemetry: Telemetry;
  readonly log: Log;
}

/** Settings of the worker. All durations are milliseconds. */
export interface WorkerOptions {
  /** Names this process in leases; unique among all that share the database. */
  readonly owner: string;
  /** The host that it runs on, and its release. */
  readonly host: Pick<WorkerProcess, 'hostName' | 'pid' | 'role' | 'version'>;
  /** How many issues are executed at the same time. */
  readonly concurrency: number;
  /** How long a claim lasts without renewal, and so how long the issues of a dead process wait. Renewed three times as often. */
  readonly leaseMs: number;
  /** The pause between two runs of the maintenance jobs. */
  readonly maintenanceMs: number;
  readonly stageTimeoutMs: number;
  /** How long a plan waits for a decision; 0: without limit. */
  readonly gateTimeoutMs: number;
  /** How long a failed issue keeps its working tree. */
  readonly workspaceTtlMs: number;
  /** How long an ended issue keeps its whole history; null: without limit. */
  readonly eventRetentionMs: number | null;
  /** The budget of issues that have none of their own. */
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
  /** How often a repository is polled at the code host; 0: never. */
  readonly codehostPollMs: number;
  /** How many follow-ups a failing build of one pull request may have. */
  readonly buildRounds: number;
  /** How many follow-ups of comments and reviews one pull request may have by themselves; of bots, as many again. */
  readonly followUpRounds: number;
}

/** Enough for a change that is nearly right, too few to use up a budget on one that is not. */
export const DEFAULT_BOUNDS: WorkerOptions['bounds'] = { testSendBacks: 3, reviewSendBacks: 2 };
