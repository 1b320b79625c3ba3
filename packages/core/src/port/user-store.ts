import type { SessionId, UserId } from '../id.ts';
import type { Session, User } from '../user/user.ts';

export interface NewUser {
  readonly id: UserId;
  readonly email: string;
  readonly name: string | null;
  readonly passwordHash: string;
  /** Refuse with `closed` unless this is the first user: one act, so that two cannot both be first. */
  readonly onlyIfFirst: boolean;
}

export type CreateUserOutcome =
  | { readonly kind: 'created'; readonly user: User }
  | { readonly kind: 'email_taken' }
  | { readonly kind: 'closed' };

export interface UserStore {
  create(user: NewUser): Promise<CreateUserOutcome>;
  get(id: UserId): Promise<User | null>;
  /** By e-mail, compared without case. */
  credentials(email: string): Promise<{ user: User; passwordHash: string | null } | null>;
  setPasswordHash(id: UserId, passwordHash: string): Promise<void>;
}

export interface SessionStore {
  create(session: { id: SessionId; userId: UserId; expiresAt: Date }): Promise<Session>;
  /** The live session with its user; null when unknown, revoked or expired. */
  find(id: SessionId): Promise<{ session: Session; user: User } | null>;
  /** Ends a session; false when it was not live. */
  revoke(id: SessionId): Promise<boolean>;
}
