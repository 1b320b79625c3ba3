import type { EncryptedToken } from '../account/token-cipher.ts';
import type { User } from '../account/user.ts';
import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { UserId } from '../id/id.ts';
import type { CodeHostAccount } from './code-host.ts';

/** A user's grant at the code host, at rest: sealed is the JSON of its tokens. */
export interface EncryptedGrant {
  readonly sealed: EncryptedToken;
  /** When the access token ends; null: never. */
  readonly expiresAt: Date | null;
}

/** A grant that comes with a link, which somebody made. */
export interface LinkedGrant extends EncryptedGrant {
  readonly audit?: NewAuditEntry;
}

export interface StoredGrant extends EncryptedGrant {
  /** Raised by every write, so that of two processes that refresh at the same time one wins. */
  readonly version: number;
  /** The host refused it: the user has to link his account anew. */
  readonly refused: boolean;
}

/** The grant in whose place another came, which nobody can use from here any more; null: there was none. */
interface Replacing {
  readonly replaced: EncryptedToken | null;
}

export type LinkOutcome =
  | (Replacing & { readonly kind: 'linked'; readonly user: User })
  /** The account belongs to another user. */
  | { readonly kind: 'taken' }
  /** The user is linked to another account already. */
  | { readonly kind: 'linked_to_another' }
  | { readonly kind: 'absent' };

export type SignInOutcome =
  | (Replacing & { readonly kind: 'created' | 'matched'; readonly user: User })
  /** Nobody has that account, and no user may be made. */
  | { readonly kind: 'closed' }
  /** The operator has disabled its user; nothing was written. */
  | { readonly kind: 'disabled' };

/** A sign-in under way. Each can be consumed once, on whichever process the browser comes back to. */
export interface CodeHostFlow {
  readonly nonce: string;
  readonly expiresAt: Date;
}

/** A one-time right to a session, for a program on the user's own machine. Only hashes are kept. */
export interface LoginGrant {
  readonly grantHash: string;
  /** Base64url of the SHA-256 of what only that program knows. */
  readonly challenge: string;
  readonly userId: UserId;
  readonly expiresAt: Date;
}

/** Users' accounts at the code host and their grants. */
export interface CodeHostLinkStore {
  /**
   * Finds the user by the account's id (never by e-mail or login), or makes one; keeps login, name where there is none,
   * picture, and the grant. One act: two at once make one user.
   *
   * @param grantOf told of the grant that this one takes the place of
   * @param newUser the id of the user to be made; `onlyIfFirst` as in `UserStore.create`; null: nobody new
   */
  signIn(
    account: CodeHostAccount,
    grantOf: (userId: UserId, replaced: EncryptedToken | null) => EncryptedGrant,
    newUser: { id: UserId; onlyIfFirst: boolean; audit?: NewAuditEntry } | null,
  ): Promise<SignInOutcome>;
  /** `audit` is written where the account was not linked before. */
  link(userId: UserId, account: CodeHostAccount, grant: LinkedGrant): Promise<LinkOutcome>;
  /** `only_login` when the user has no password: without the account he could not log in. Removes the grant. */
  unlink(userId: UserId, audit?: NewAuditEntry): Promise<'unlinked' | 'not_linked' | 'only_login'>;
  grant(userId: UserId): Promise<StoredGrant | null>;
  /** Replaces a grant that is still of `version`; false when somebody was faster. */
  replaceGrant(userId: UserId, version: number, grant: EncryptedGrant): Promise<boolean>;
  /** Marks it as refused if it is still of `version`. */
  refuseGrant(userId: UserId, version: number): Promise<void>;

  beginFlow(flow: CodeHostFlow): Promise<void>;
  /** False when unknown, expired or consumed already. */
  consumeFlow(nonce: string): Promise<boolean>;
  putLoginGrant(grant: LoginGrant): Promise<void>;
  /** The live grant of that hash, once; null ever after. */
  takeLoginGrant(grantHash: string): Promise<LoginGrant | null>;
}
