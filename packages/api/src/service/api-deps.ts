import type { AccountMailer, TokenCipher } from '@sluice/core/account';
import type { Clock } from '@sluice/core/async';
import type { PictureCodec } from '@sluice/core/attachment';
import type { CodeHost, CodeHostIdentity, CodeHostTokens, CodeHostWebhooks } from '@sluice/core/code-host';
import type { CodeIndex } from '@sluice/core/code-search';
import type { Ids } from '@sluice/core/id';
import type { Signals } from '@sluice/core/issue';
import type { NotificationRules, UnsubscribeTokens } from '@sluice/core/notification';
import type { OidcProvider, OidcRules } from '@sluice/core/oidc';
import type { HealthCheck } from '@sluice/core/operation';
import type { Budget } from '@sluice/core/pipeline';
import type { Limiter } from '@sluice/core/request';
import type { Stores } from '@sluice/core/stores';
import type { BaseBranches, RemoteInspector } from '@sluice/core/workspace';
import type { ConsoleFiles } from './console-files.ts';
import type { SecurityContact } from './security-contact.ts';
import type { ServerFacts } from './server-facts.ts';

/** The api's logger, in pino's shape: fields first. */
export interface ApiLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The checks of the readiness probe, by their names in its answer. */
export interface HealthChecks {
  readonly database: HealthCheck;
  readonly cache: HealthCheck;
  readonly vector_store: HealthCheck;
}

/** The configured code host. */
export interface ConfiguredCodeHost {
  readonly identity: CodeHostIdentity;
  readonly host: CodeHost;
  /** Null where no webhook secret is configured. */
  readonly webhooks: CodeHostWebhooks | null;
}

/** A configured OpenID provider. */
export interface ConfiguredOidcProvider {
  readonly provider: OidcProvider;
  readonly rules: OidcRules;
}

/** The stores of which the api needs a part. */
interface StoresInPart {
  readonly runs: Pick<Stores['runs'], 'attempts' | 'diff' | 'log'>;
  readonly budgets: Pick<Stores['budgets'], 'ofSubjects' | 'list' | 'set'>;
  readonly outcomes: Pick<Stores['outcomes'], 'ofIssue' | 'answerClose' | 'span' | 'tally'>;
  readonly queueStats: Pick<Stores['queueStats'], 'overview'>;
  readonly workers: Pick<Stores['workers'], 'list'>;
}

/** The stores that only workers and the service itself use. */
type WorkerStores = 'auditSeals' | 'codehostSite' | 'deliveries' | 'encryptedSecrets' | 'maintenance';

/** The stores that the api needs: all but those of workers. */
export interface ApiStores extends Omit<Stores, WorkerStores | keyof StoresInPart>, StoresInPart {}

/** The ports that the api needs. */
export interface ApiDeps extends ApiStores {
  /** Null where no e-mail can be sent. */
  readonly accountMailer: AccountMailer | null;
  readonly limiter: Limiter;
  readonly signals: Signals;
  readonly pictures: PictureCodec;
  readonly remotes: RemoteInspector;
  readonly bases: BaseBranches;
  readonly codeIndex: Pick<CodeIndex, 'search'>;
  readonly cipher: TokenCipher;
  /** Null where no code host is configured. */
  readonly codehost: ConfiguredCodeHost | null;
  /** The OpenID providers, in the order in which they are shown. */
  readonly oidc: readonly ConfiguredOidcProvider[];
  /** Null where no code host is configured. */
  readonly codehostTokens: CodeHostTokens | null;
  readonly notificationRules: NotificationRules;
  readonly unsubscribeTokens: UnsubscribeTokens;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The default budget of an issue. */
  readonly budget: Budget;
  /** Whether no issue may have a higher budget. */
  readonly budgetIsFixed: boolean;
  readonly health: HealthChecks;
  /** Null where it was not built, or is not served. */
  readonly console: ConsoleFiles | null;
  readonly log: ApiLog;
}

export interface ApiOptions {
  /**
   * The service's URL for browsers. It determines the `Secure` attribute and the service's own origin, so that with a free
   * port the api is created after the server listens.
   */
  readonly publicUrl: URL;
  /** Other origins that may call with the cookie. */
  readonly corsOrigins: readonly string[];
  /** At least 32 bytes. Changing it ends every session. */
  readonly sessionSecret: Uint8Array;
  readonly sessionTtlMs: number;
  /** A session ends after this time without a request. Absent or 0: sessions do not end by idleness. */
  readonly sessionIdleTtlMs?: number;
  /** Whether `Authorization: Bearer slc_…` is read. Absent: no. */
  readonly takesApiTokens?: boolean;
  readonly registration: 'open' | 'first-user' | 'invite' | 'closed';
  /** The users who may invite where accounts are made by invitation. Absent: operators alone. */
  readonly invitations?: 'operators' | 'admins';
  /** Whether accounts with a password must have a second factor. Absent: `optional`. */
  readonly secondFactor?: 'optional' | 'required';
  /** Whether passwords are accepted. Absent: yes. */
  readonly passwords?: boolean;
  /** Users that may register folders of this host, where that is allowed at all. */
  readonly localReposFor: 'everybody' | 'operators';
  /** Whom to tell of vulnerabilities. Null: the operator has set no contact. */
  readonly securityContact: SecurityContact | null;
  /** Proxies whose `X-Forwarded-For` is trusted: addresses, CIDRs or the word `loopback`. Empty: none. */
  readonly trustProxy: readonly string[];
  readonly version: string;
  /** For `GET /api/server`. */
  readonly facts: ServerFacts;
  /** For operators: the variables that are set. */
  readonly configuration: readonly SetVariable[];
  /** Serves only `/api/health`: the process is a worker. */
  readonly healthOnly?: boolean;
}

/** A variable of the configuration that is set. */
interface SetVariable {
  readonly name: string;
  /** Null: a secret. */
  readonly value: string | null;
  readonly source: 'user file' | '.env' | 'env file' | 'environment' | 'flag';
  /** The file that sets it. */
  readonly path: string | null;
}
