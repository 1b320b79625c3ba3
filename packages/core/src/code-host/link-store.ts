import type { LoginWays } from '../account/sign-in-flows.ts';
import type { EncryptedToken } from '../account/token-cipher.ts';
import type { User } from '../account/user.ts';
import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { UserId } from '../id/id.ts';
import type { CodeHostAccount } from './code-host.ts';

/** A user's grant for the code host, as stored: the encrypted JSON of its tokens. */
export interface EncryptedGrant {
  readonly encryptedToken: EncryptedToken;
  /** When the access token expires; null: never. */
  readonly expiresAt: Date | null;
}

/** A grant from linking an account, with its audit entry. */
interface LinkedGrant extends EncryptedGrant {
  readonly audit?: NewAuditEntry;
}

export interface StoredGrant extends EncryptedGrant {
  /** Raised by every write, so that of two concurrent refreshes one wins. */
  readonly version: number;
  /** The host refused it: the user has to link the account again. */
  readonly refused: boolean;
}

/** The previous grant, now unused; null if there was none. */
interface Replacing {
  readonly replaced: EncryptedToken | null;
}

type LinkOutcome =
  | (Replacing & { readonly kind: 'linked'; readonly user: User })
  /** The account belongs to another user. */
  | { readonly kind: 'taken' }
  /** The user is already linked to another account. */
  | { readonly kind: 'linked_to_another' }
  | { readonly kind: 'absent' };

export type SignInOutcome =
  | (Replacing & { readonly kind: 'created' | 'matched'; readonly user: User })
  /** No user has that account, and registration is closed. */
  | { readonly kind: 'closed' }
  /** Its user is disabled. Nothing was written. */
  | { readonly kind: 'disabled' };

/** Users' accounts at the code host and their grants. */
export interface CodeHostLinkStore {
  /**
   * Finds the user by the account's id (never by e-mail or login), or creates one. Stores the login, the picture, the grant
   * and, if the user has none, the name. Atomic: two concurrent calls create one user.
   *
   * @param grantOf makes the grant; receives the one that it replaces
   * @param newUser the id for a new user, with `onlyIfFirst` as in `UserStore.create`; null: do not create one
   */
  signIn(
    account: CodeHostAccount,
    grantOf: (userId: UserId, replaced: EncryptedToken | null) => EncryptedGrant,
    newUser: { id: UserId; onlyIfFirst: boolean; audit?: NewAuditEntry } | null,
  ): Promise<SignInOutcome>;
  /** Writes `audit` unless the account was already linked. */
  link(userId: UserId, account: CodeHostAccount, grant: LinkedGrant): Promise<LinkOutcome>;
  /** `only_login` when none of the other ways to log in is the user's. Deletes the grant. */
  unlink(userId: UserId, others: LoginWays, audit?: NewAuditEntry): Promise<'unlinked' | 'not_linked' | 'only_login'>;
  grant(userId: UserId): Promise<StoredGrant | null>;
  /** Replaces a grant that still has `version`; false after a concurrent write. */
  replaceGrant(userId: UserId, version: number, grant: EncryptedGrant): Promise<boolean>;
  /** Marks the grant as refused if it still has `version`. */
  refuseGrant(userId: UserId, version: number): Promise<void>;
}
