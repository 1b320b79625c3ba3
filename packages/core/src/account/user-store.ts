import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { SessionId, UserId } from '../id/id.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type { FailedLogins } from './failed-logins.ts';
import type { User } from './user.ts';

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

/** What a user changes of his account, in one act. What is undefined stays as it is. */
export interface AccountChange {
  readonly name?: string | null | undefined;
  readonly email?: string | undefined;
  /** A new one ends every session but `keep`. */
  readonly passwordHash?: string | undefined;
  readonly keep: SessionId | null;
  /** The hash that his password was compared with; null where he had none. Another by now: `stale`. */
  readonly ifPasswordHash?: string | null | undefined;
}

export type ChangeAccountOutcome =
  | { readonly kind: 'changed'; readonly user: User; readonly endedSessions: readonly SessionId[] }
  | { readonly kind: 'email_taken' }
  /** The password was changed meanwhile, or there is no such user; nothing was written. */
  | { readonly kind: 'stale' };

/** Makes the audit entry of an act that ends sessions, with their number. */
export type EndingAudit = (sessionsEnded: number) => NewAuditEntry;

/** A user as the operator sees him. */
export interface UserAccount {
  readonly user: User;
  readonly hasPassword: boolean;
  /** Since when he is locked out; null: he is not. */
  readonly disabledAt: Date | null;
  readonly liveSessions: number;
  /** Logins that failed at the account, today and on the six days before. */
  readonly failedLogins: number;
}

export interface UserStore {
  create(user: NewUser, audit?: NewAuditEntry): Promise<CreateUserOutcome>;
  get(id: UserId): Promise<User | null>;
  /** Whether no account is older than this one: its owner is who set the installation up. */
  isFirst(id: UserId): Promise<boolean>;
  /** By e-mail, compared without case. Null for a user who is disabled: nothing that he knows opens anything. */
  credentials(email: string): Promise<{ user: User; passwordHash: string | null } | null>;
  /** Null when he has no password. */
  passwordHash(id: UserId): Promise<string | null>;
  /** Writes the same password's hash anew, if `before` is its hash still. */
  rehash(id: UserId, hashes: { before: string; after: string }): Promise<boolean>;
  /** Adds to the counts of the accounts that have these e-mails; those that nobody has are left out. */
  addFailedLogins(counts: readonly (FailedLogins & { readonly email: string })[]): Promise<void>;
  /** By day, newest first. @param since the first day, as `FailedLogins` has it */
  failedLogins(id: UserId, since: string, page: PageRequest): Promise<Page<FailedLogins>>;
  changeAccount(id: UserId, change: AccountChange, audit?: EndingAudit): Promise<ChangeAccountOutcome>;

  /** Every user, newest first. */
  accounts(page: PageRequest): Promise<Page<UserAccount>>;
  /** By id or by e-mail. */
  account(idOrEmail: string): Promise<UserAccount | null>;
  /** Ends his sessions and lets none begin. His issues stay as they are. @returns the sessions that it ended */
  disable(id: UserId, audit?: EndingAudit): Promise<readonly SessionId[]>;
  enable(id: UserId, audit?: NewAuditEntry): Promise<void>;
}
