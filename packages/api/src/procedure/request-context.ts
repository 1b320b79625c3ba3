import type { Session, User } from '@sluice/core';
import type { IssueFeed } from '../feed/issue-feed.ts';
import type { FailedLoginCounts } from '../login/failed-login-counts.ts';
import type { LoginDelay } from '../login/login-delay.ts';
import type { Passwords } from '../login/passwords.ts';
import type { ApiDeps, ApiOptions } from '../service/api-deps.ts';
import type { SessionTokens } from '../session/session-tokens.ts';
import type { RouteMeta } from './route-meta.ts';

/** Who calls: a live session and its user. */
export interface Actor {
  readonly user: User;
  readonly session: Session;
}

/** What an api holds for its whole life. */
export interface ApiService extends ApiDeps {
  readonly options: ApiOptions;
  readonly tokens: SessionTokens;
  readonly passwords: Passwords;
  readonly loginDelay: LoginDelay;
  readonly failedLogins: FailedLoginCounts;
  readonly issueFeed: IssueFeed;
  /** Notes that a session is in use. */
  noteSeen(session: Session): Promise<void>;
}

/** What of a request is no procedure's input, for those few that need it. */
interface RequestHead {
  /** The `User-Agent` header. */
  readonly userAgent: string | undefined;
  /** The `Cookie` header. */
  readonly cookie: string | undefined;
  /** As it came; what is no member of the input is in it too. */
  readonly query: URLSearchParams;
  /** The `Origin` header: whose page sends this. Programs do not send it. */
  readonly origin: string | undefined;
  /** The `Sec-Fetch-Site` header: whose page sent the browser here. `none`: a person did. Programs do not send it. */
  readonly fetchSite: string | undefined;
  /** The `Idempotency-Key` header. */
  readonly idempotencyKey: string | undefined;
  /** Whether a browser shows the answer to a person. */
  readonly wantsPage: boolean;
  /** The session, for what needs none and goes otherwise where there is one. */
  actor(): Promise<Actor | null>;
}

/** What every procedure is given, whichever transport the call came by. The ports stand in it by their names. */
export interface RequestContext extends ApiService {
  readonly requestId: string;
  readonly head: RequestHead;
  /** Fires when the caller has gone away. */
  readonly signal: AbortSignal;
  /**
   * Checks the session and counts the request. Over REST that was done before the body was read, and this gives the
   * outcome again; over tRPC it happens here, once for every call, so that a batch is as many requests.
   */
  admit(meta: RouteMeta): Promise<Actor | null>;
  /** Adds a header to the answer. */
  appendHeader(name: string, value: string): void;
  /** Drops the connection: the last means against a reader who does not read. */
  hangUp(): void;
}
