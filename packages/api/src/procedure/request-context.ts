import type { Session } from '@sluice/core/account';
import type { ApiToken } from '@sluice/core/api-token';
import type { Audited } from '@sluice/core/audit';
import type { RateLimits } from '@sluice/core/request';
import type { IssueFeed } from '../feed/issue-feed.ts';
import type { AccountMails } from '../identity/login/account-mails.ts';
import type { FailedLoginCounts } from '../identity/login/failed-login-counts.ts';
import type { LoginDelay } from '../identity/login/login-delay.ts';
import type { Passwords } from '../identity/login/passwords.ts';
import type { Actor } from '../identity/session/actor.ts';
import type { SessionTokens } from '../identity/session/session-tokens.ts';
import type { ApiDeps, ApiOptions, ApiStores } from '../service/api-deps.ts';
import type { Admission } from './admit-caller.ts';
import type { RouteMeta } from './route-meta.ts';

/** Everything that an api holds for its whole life. */
export interface ApiService extends ApiDeps {
  readonly options: ApiOptions;
  readonly tokens: SessionTokens;
  readonly passwords: Passwords;
  readonly loginDelay: LoginDelay;
  readonly failedLogins: FailedLoginCounts;
  readonly accountMails: AccountMails;
  /** Whether users can verify their e-mail addresses. */
  readonly verifiesEmail: boolean;
  readonly issueFeed: IssueFeed;
  /** Records that a session is in use. */
  noteSeen(session: Session): Promise<void>;
  /** Records that an API token is in use. */
  noteTokenUse(token: ApiToken, userAgent: string | undefined): Promise<void>;
}

/** The parts of a request that are not a procedure's input, for the few procedures that need them. */
interface RequestHead {
  /** The `User-Agent` header. */
  readonly userAgent: string | undefined;
  /** The `Cookie` header. */
  readonly cookie: string | undefined;
  /** The query as it was sent, with members that the input leaves out. */
  readonly query: URLSearchParams;
  /** The `Host` header. */
  readonly host: string | undefined;
  /** The `Origin` header: the page that sends the request. Programs do not send it. */
  readonly origin: string | undefined;
  /** The `Sec-Fetch-Site` header: the page that led the browser here; `none` when a person did. Programs do not send it. */
  readonly fetchSite: string | undefined;
  /** The `Idempotency-Key` header. */
  readonly idempotencyKey: string | undefined;
  /** Whether a browser shows the answer to a person. */
  readonly wantsPage: boolean;
  /**
   * The caller, for public procedures that behave differently with one; null also for credentials that have ended.
   *
   * @throws AppError `credentials_ambiguous`
   */
  actor(): Promise<Actor | null>;
}

/** The stores as procedures have them: what a person asks for is written with its audit entry. */
type AuditedStores = { readonly [Name in keyof ApiStores]: Audited<ApiStores[Name]> };

type Service = Omit<ApiService, keyof ApiStores | 'limiter' | 'noteSeen' | 'noteTokenUse'>;

/** Everything that procedures can use, on either transport. Commands of core declare the ports that they take from it. */
export interface RequestContext extends Service, AuditedStores {
  readonly requestId: string;
  /** The limits in force, to tell; counting is part of admission. */
  readonly limits: RateLimits;
  readonly head: RequestHead;
  /** Fires when the caller has gone away. */
  readonly signal: AbortSignal;
  /** Checks the session and counts the request: the first step of every procedure, once for each call of a batch. */
  admit(meta: RouteMeta): Promise<Admission>;
  /**
   * The caller who was admitted, as they are now.
   *
   * @throws AppError as `admit` does, for a session or token that has ended since
   */
  actorNow(): Promise<Actor>;
  /** Adds a header to the answer. */
  appendHeader(name: string, value: string): void;
  /** Drops the connection: the last resort against a client that does not read. */
  hangUp(): void;
}
