import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { SessionId, UserId } from '../id/id.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type { FactorUse } from './second-factor-store.ts';
import type { ProviderSession } from './sign-in-flows.ts';
import type { Session, User } from './user.ts';
import type { EndingAudit } from './user-store.ts';

export interface NewSession {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly expiresAt: Date;
  /** The time at which it ends unless it is used before; null or absent: no idle timeout. */
  readonly idleEndsAt?: Date | null;
  readonly client?: string | null;
  /** The provider at which the user signed in, for its logout; null or absent: here, or at the code host. */
  readonly provider?: ProviderSession | null;
  /** The password hash that the login was checked against. */
  readonly ifPasswordHash?: string;
  /**
   * The factor that completed a login by password, and the challenge of that login. Both are used up with the session.
   */
  readonly secondFactor?: { readonly challengeHash: string; readonly use: FactorUse } | undefined;
  /** Whether it may only enroll a second factor until there is one. */
  readonly mustEnroll?: boolean;
}

export interface SessionStore {
  /**
   * Null when the user is disabled or the password has changed since the check; with `ifPasswordHash` also when the account
   * has a second factor and none was used, or when the one that was used is no longer valid.
   */
  create(session: NewSession, audit?: NewAuditEntry): Promise<Session | null>;
  /** The live session with its user; null when unknown, revoked, expired or idle for too long. */
  find(id: SessionId): Promise<{ session: Session; user: User } | null>;
  /**
   * Records the use of a live session that was last seen before `unseenSince`. Of many concurrent requests one writes.
   */
  touch(id: SessionId, seen: { unseenSince: Date; idleEndsAt: Date | null }): Promise<void>;
  /** The live sessions of a user, newest first. */
  list(userId: UserId, page: PageRequest): Promise<Page<Session>>;
  /** Ends a session; false when it was not live. */
  revoke(id: SessionId, audit?: NewAuditEntry): Promise<boolean>;
  /** Ends all sessions of a user. @returns the sessions that it ended */
  revokeAll(userId: UserId, audit?: EndingAudit): Promise<readonly SessionId[]>;
}
