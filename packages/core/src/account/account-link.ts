import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { ApiTokenId, SessionId, UserId } from '../id/id.ts';
import type { EncryptedToken } from './token-cipher.ts';
import type { User } from './user.ts';

export const accountLinkPurposes = ['password_reset', 'email_verification'] as const;
export type AccountLinkPurpose = (typeof accountLinkPurposes)[number];

const MINUTE_MS = 60_000;

/** How long a link works. A mailbox that somebody else reads later holds no way into the account. */
export const accountLinkMinutes = { password_reset: 30, email_verification: 24 * 60 } as const satisfies Record<
  AccountLinkPurpose,
  number
>;

/** The most links of one purpose that an account gets within an hour, so that strangers cannot fill a mailbox. */
export const mostLinks = { count: 3, withinMs: 60 * MINUTE_MS } as const;

export function linkEnd(purpose: AccountLinkPurpose, now: Date): Date {
  return new Date(now.getTime() + accountLinkMinutes[purpose] * MINUTE_MS);
}

/** A link to write. What it holds is sent to the address, and only its hash is kept. */
interface NewAccountLink {
  readonly tokenHash: string;
  readonly purpose: AccountLinkPurpose;
  readonly userId: UserId;
  /** The address that it is sent to; the link is void once the account has another one. */
  readonly email: string;
  readonly expiresAt: Date;
}

/** What a reset of the password ended, counted. */
interface EndedByReset {
  readonly sessions: number;
  readonly tokens: number;
  /** Accounts at the code host and at OpenID providers. */
  readonly unlinked: number;
}

interface PasswordReset {
  readonly user: User;
  readonly endedSessions: readonly SessionId[];
  readonly endedTokens: readonly ApiTokenId[];
  readonly unlinked: number;
  /** The grant of the account at the code host that it unlinked. */
  readonly codehostGrant: EncryptedToken | null;
}

/**
 * Links that prove the address of an account, for one purpose each. Each works once. All of an account are void once it has
 * another e-mail address or is disabled, and those that reset a password once the password has changed.
 */
export interface AccountLinkStore {
  /**
   * False, and nothing is written, when the user has another address by now or is disabled, has got `mostLinks` already, or
   * has no password that could be reset.
   */
  put(link: NewAccountLink): Promise<boolean>;
  /** Whether the link works at this moment. */
  isLive(tokenHash: string, purpose: AccountLinkPurpose): Promise<boolean>;
  /**
   * Uses a link: sets the password, verifies the address, and ends all sessions of the user. Where the address was not verified,
   * somebody else may have registered it: then it also revokes the API tokens, and unlinks the accounts at the code host and at
   * OpenID providers with the roles that their groups gave.
   *
   * @returns null, and nothing is written, for a link that does not work
   */
  resetPassword(
    use: { readonly tokenHash: string; readonly passwordHash: string },
    audit?: (userId: UserId, ended: EndedByReset) => NewAuditEntry,
  ): Promise<PasswordReset | null>;
  /** Uses a link: verifies the address. Null for a link that does not work. */
  verifyEmail(tokenHash: string, audit?: (userId: UserId) => NewAuditEntry): Promise<User | null>;
}
