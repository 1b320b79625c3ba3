import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { SessionId, UserId } from '../id/id.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type { Session, User } from './user.ts';
import type { EndingAudit } from './user-store.ts';

export interface NewSession {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly expiresAt: Date;
  /** When it ends unless it is used before; left out or null: not by being left alone. */
  readonly idleEndsAt?: Date | null;
  readonly client?: string | null;
  /** The hash that the password was compared with, where one was. */
  readonly ifPasswordHash?: string;
}

export interface SessionStore {
  /** Null when the user is disabled, or the password that he gave is his no longer: nothing was written. */
  create(session: NewSession, audit?: NewAuditEntry): Promise<Session | null>;
  /** The live session with its user; null when unknown, revoked, expired or left alone for too long. */
  find(id: SessionId): Promise<{ session: Session; user: User } | null>;
  /**
   * Notes that a session is in use, if it is live and was not seen since `unseenSince`: of many requests at once one
   * writes.
   */
  touch(id: SessionId, seen: { unseenSince: Date; idleEndsAt: Date | null }): Promise<void>;
  /** A user's live ones, newest first. */
  list(userId: UserId, page: PageRequest): Promise<Page<Session>>;
  /** Ends a session; false when it was not live. */
  revoke(id: SessionId, audit?: NewAuditEntry): Promise<boolean>;
  /** Ends all of a user's. @returns those that it ended */
  revokeAll(userId: UserId, audit?: EndingAudit): Promise<readonly SessionId[]>;
}
