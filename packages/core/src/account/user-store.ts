import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { SessionId, UserId } from '../id/id.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type { FailedLogins } from './failed-logins.ts';
import type { Preferences, PreferencesChange } from './preferences.ts';
import type { User } from './user.ts';

export interface NewUser {
  readonly id: UserId;
  readonly email: string;
  readonly name: string | null;
  readonly passwordHash: string;
  /** Refuse with `closed` unless this is the first user. Atomic, so that two cannot both be first. */
  readonly onlyIfFirst: boolean;
  /** `hashInvitationToken` of an invitation, which is used up: it lets them in whatever `onlyIfFirst` says, and may give a role. */
  readonly invitationHash?: string | null;
  /** Whether only operators may invite now: an invitation of somebody else is void then. */
  readonly onlyOperatorsInvite?: boolean;
}

type CreateUserOutcome =
  | { readonly kind: 'created'; readonly user: User }
  /** The invitation is for another e-mail, or was used, has expired, or the person who invited may no longer do so. */
  | { readonly kind: 'invitation_invalid' }
  | { readonly kind: 'email_taken' }
  | { readonly kind: 'closed' };

/** One change of a user's own account. Undefined fields stay as they are. */
export interface AccountChange {
  readonly name?: string | null | undefined;
  readonly email?: string | undefined;
  /** A new hash ends every session but `keep`. */
  readonly passwordHash?: string | undefined;
  readonly keep: SessionId | null;
  /** The hash that the current password was checked against, or null. `stale` when it has changed. */
  readonly ifPasswordHash?: string | null | undefined;
}

export type ChangeAccountOutcome =
  | { readonly kind: 'changed'; readonly user: User; readonly endedSessions: readonly SessionId[] }
  | { readonly kind: 'email_taken' }
  /** The password was changed meanwhile, or the user does not exist. Nothing was written. */
  | { readonly kind: 'stale' };

/** Makes the audit entry for an act that ends this many sessions. */
export type EndingAudit = (sessionsEnded: number) => NewAuditEntry;

/** A user, as shown to the operator. */
export interface UserAccount {
  readonly user: User;
  readonly hasPassword: boolean;
  /** Null unless the account is disabled. */
  readonly disabledAt: Date | null;
  /**
   * The time at which they deleted it; null: they did not. The rest of the row has no e-mail, no name and no way to log
   * in.
   */
  readonly deletedAt: Date | null;
  readonly liveSessions: number;
  /** Failed logins at the account, over the last seven days. */
  readonly failedLogins: number;
  /** Their latest use of a session or an API token that is still known, or their latest act in the audit log. */
  readonly lastSeenAt: Date | null;
  /** Whether a login by password needs a second step. */
  readonly hasSecondFactor: boolean;
  /** API tokens that can be used. */
  readonly liveTokens: number;
  /** Repositories that they have registered. */
  readonly repos: number;
}

/** Which accounts are wanted. */
export interface AccountFilter {
  /** Their e-mail, name or login at the code host contains it, in any case. */
  readonly search?: string | undefined;
  readonly state?: AccountState | undefined;
}

export const accountStates = ['active', 'disabled', 'operator'] as const;
/** `operator`: those who can log in. */
export type AccountState = (typeof accountStates)[number];

type DisableOutcome =
  | { readonly kind: 'disabled'; readonly endedSessions: readonly SessionId[] }
  /** No other operator could log in. Nothing was written. */
  | { readonly kind: 'last_operator' };

type RevokeOperatorOutcome =
  | { readonly kind: 'revoked' }
  /** No other operator could log in. Nothing was written. */
  | { readonly kind: 'last_operator' };

export interface UserStore {
  /** The first user becomes an operator. */
  create(user: NewUser, audit?: NewAuditEntry): Promise<CreateUserOutcome>;
  get(id: UserId): Promise<User | null>;
  /** By e-mail or by login at the code host, ignoring case. Null for a disabled user too. */
  find(who: { readonly email: string } | { readonly codehostId: string }): Promise<User | null>;
  /** By e-mail, ignoring case. Null for a disabled user, whose password must not work. */
  credentials(email: string): Promise<{ user: User; passwordHash: string | null } | null>;
  /** Null when the user has no password. */
  passwordHash(id: UserId): Promise<string | null>;
  /** Replaces the hash of the same password, unless it is no longer `before`. */
  rehash(id: UserId, hashes: { before: string; after: string }): Promise<boolean>;
  /** Adds to the counts of the accounts with these e-mails. Unknown e-mails are ignored. */
  addFailedLogins(counts: readonly (FailedLogins & { readonly email: string })[]): Promise<void>;
  /** By day, newest first. @param since the first day, in the format of `FailedLogins` */
  failedLogins(id: UserId, since: string, page: PageRequest): Promise<Page<FailedLogins>>;
  preferences(id: UserId): Promise<Preferences>;
  /** @returns them all, after the change */
  changePreferences(id: UserId, change: PreferencesChange): Promise<Preferences>;
  changeAccount(id: UserId, change: AccountChange, audit?: EndingAudit): Promise<ChangeAccountOutcome>;

  /** Every user that matches, newest first. */
  accounts(page: PageRequest, filter?: AccountFilter): Promise<Page<UserAccount>>;
  /** By id or by e-mail. */
  account(idOrEmail: string): Promise<UserAccount | null>;
  /**
   * Ends the user's sessions and prevents new ones. Issues are not affected.
   *
   * @param options `evenLastOperator: false` refuses the last operator who can log in
   */
  disable(id: UserId, options?: { readonly evenLastOperator: boolean }, audit?: EndingAudit): Promise<DisableOutcome>;
  /** Does nothing for a deleted account. */
  enable(id: UserId, audit?: NewAuditEntry): Promise<void>;
  /** Whether another user is an operator who can log in. */
  hasOtherOperator(id: UserId): Promise<boolean>;
  /** Does nothing for an operator. */
  grantOperator(id: UserId, audit?: NewAuditEntry): Promise<void>;
  /** Does nothing for a user who is no operator. */
  revokeOperator(id: UserId, audit?: NewAuditEntry): Promise<RevokeOperatorOutcome>;
}
