import type { AccountLinkStore, SecondFactorStore, Session, SessionStore, UserStore } from '@sluice/core/account';
import type { ApiToken, ApiTokenStore } from '@sluice/core/api-token';
import type { Audited } from '@sluice/core/audit';
import type { DeletionStore } from '@sluice/core/deletion';
import type { InvitationStore } from '@sluice/core/invitation';
import type { IssueStore } from '@sluice/core/issue';
import type { MemberStore } from '@sluice/core/member';
import type { NotificationStore } from '@sluice/core/notification';
import type { OidcIdentityStore } from '@sluice/core/oidc';
import type { RepoStore } from '@sluice/core/repo';
import type { RateLimits } from '@sluice/core/request';
import type { IssueFeed } from '../feed/issue-feed.ts';
import type { AccountMails } from '../login/account-mails.ts';
import type { FailedLoginCounts } from '../login/failed-login-counts.ts';
import type { LoginDelay } from '../login/login-delay.ts';
import type { Passwords } from '../login/passwords.ts';
import type { ApiDeps, ApiOptions } from '../service/api-deps.ts';
import type { Actor } from '../session/actor.ts';
import type { SessionTokens } from '../session/session-tokens.ts';
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

type Service = Omit<
  ApiService,
  | 'accountLinks'
  | 'deletions'
  | 'limiter'
  | 'noteSeen'
  | 'noteTokenUse'
  | 'apiTokens'
  | 'invitations'
  | 'issues'
  | 'members'
  | 'notifications'
  | 'oidcIdentities'
  | 'repos'
  | 'secondFactors'
  | 'sessions'
  | 'users'
>;

/** Everything that procedures can use, on either transport. Commands of core declare the ports that they take from it. */
export interface RequestContext extends Service {
  readonly issues: Audited<IssueStore>;
  readonly notifications: Audited<NotificationStore>;
  readonly repos: Audited<RepoStore>;
  readonly members: Audited<MemberStore>;
  readonly budgets: Audited<ApiDeps['budgets']>;
  readonly secondFactors: Audited<SecondFactorStore>;
  readonly sessions: Audited<SessionStore>;
  readonly users: Audited<UserStore>;
  readonly apiTokens: Audited<ApiTokenStore>;
  readonly invitations: Audited<InvitationStore>;
  readonly oidcIdentities: Audited<OidcIdentityStore>;
  readonly accountLinks: Audited<AccountLinkStore>;
  readonly deletions: Audited<DeletionStore>;
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
