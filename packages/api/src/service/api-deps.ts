import type {
  AuditStore,
  BaseBranches,
  Budget,
  Clock,
  CodeHost,
  CodeHostIdentity,
  CodeHostInbox,
  CodeHostIndex,
  CodeHostLinkStore,
  CodeHostTokens,
  CodeHostWebhooks,
  CodeIndex,
  EventFeed,
  HealthCheck,
  IdempotencyStore,
  Ids,
  IssueStore,
  Limiter,
  RemoteInspector,
  RepoStore,
  RunStore,
  SessionStore,
  Signals,
  TokenCipher,
  UserStore,
} from '@sluice/core';

/** What the api writes to its log: pino's shape, fields first. */
export interface ApiLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What the readiness probe asks, by the names it answers with. */
export interface HealthChecks {
  readonly database: HealthCheck;
  readonly cache: HealthCheck;
  readonly vector_store: HealthCheck;
}

/** A code host that the operator has configured. */
export interface ConfiguredCodeHost {
  readonly identity: CodeHostIdentity;
  readonly host: CodeHost;
  /** Null without a secret that deliveries are signed with. */
  readonly webhooks: CodeHostWebhooks | null;
}

/** The ports that the api stands on. */
export interface ApiDeps {
  readonly issues: IssueStore;
  readonly runs: Pick<RunStore, 'diff' | 'log' | 'steps'>;
  readonly repos: RepoStore;
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly audit: AuditStore;
  readonly feed: EventFeed;
  readonly limiter: Limiter;
  readonly signals: Signals;
  readonly remotes: RemoteInspector;
  readonly bases: BaseBranches;
  readonly codeIndex: Pick<CodeIndex, 'search'>;
  readonly cipher: TokenCipher;
  /** Null where no code host is configured. */
  readonly codehost: ConfiguredCodeHost | null;
  readonly codehostLinks: CodeHostLinkStore;
  readonly codehostIndex: CodeHostIndex;
  readonly codehostInbox: CodeHostInbox;
  /** Null where no code host is configured. */
  readonly codehostTokens: CodeHostTokens | null;
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The server's, for issues without one of their own. */
  readonly budget: Budget;
  /** Whether no issue may have a higher one. */
  readonly budgetIsFixed: boolean;
  readonly health: HealthChecks;
  readonly log: ApiLog;
}

export interface ApiOptions {
  /**
   * What browsers call the service. Decides `Secure` and the service's own origin, so with a free port the api is
   * created after the server listens.
   */
  readonly publicUrl: URL;
  /** Further origins that may call with the cookie. */
  readonly corsOrigins: readonly string[];
  /** At least 32 bytes. Changing it ends every session. */
  readonly sessionSecret: Uint8Array;
  readonly sessionTtlMs: number;
  /** After so long without a request a session ends. Left out or 0: none does. */
  readonly sessionIdleTtlMs?: number;
  readonly registration: 'open' | 'first-user' | 'closed';
  /** Who may register folders of this host, where the operator allows those at all. */
  readonly localReposFor: 'everybody' | 'first-user';
  /** Whose `X-Forwarded-For` is believed: addresses, CIDRs or the word `loopback`. Empty: nobody's. */
  readonly trustProxy: readonly string[];
  readonly version: string;
  /** Only `/api/health` is answered: this process works, and others answer. */
  readonly healthOnly?: boolean;
}
