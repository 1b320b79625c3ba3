import type { InstallationAct } from '../audit/audit-catalog.ts';
import type { UserId } from '../id/id.ts';

/**
 * A user's secret, encrypted at rest with AES-256-GCM, a new nonce for each write, and its owner as additional data.
 */
export interface EncryptedToken {
  /**
   * `keyId:v2:base64(ciphertext + tag)`. Without `v2:` it comes from an earlier release, and its additional data is the
   * user's id alone.
   */
  readonly encrypted: string;
  /** base64 of 96 bits */
  readonly nonce: string;
}

/** The owner that a token is bound to. It cannot be decrypted for another row, kind or user. */
export interface TokenOwner {
  readonly kind: 'codehost_grant' | 'repo_access_token' | 'notification_secret' | 'notification_url' | 'second_factor';
  /** The id of its row. For a grant, the id of its user. */
  readonly id: string;
  readonly userId: string;
}

/** Encrypts and decrypts tokens. Plain tokens exist only in memory, for the time of a call. */
export interface TokenCipher {
  /**
   * @param replaced the token that this one replaces. The new one keeps its form, so that a process of the previous
   * release can still read it
   */
  encrypt(owner: TokenOwner, token: string, replaced?: EncryptedToken | null): EncryptedToken;
  /** @throws when the key is unknown, or the token belongs to another owner or was modified */
  decrypt(owner: TokenOwner, token: EncryptedToken): string;
}

/** Encrypted secrets, row by row, for key rotation. */
export interface EncryptedSecretStore {
  /** Up to `limit` secrets encrypted under none of these keys: key ids, alone or with the form (`2026a:v2`). */
  encryptedUnderOther(keys: readonly string[], limit: number): Promise<readonly EncryptedSecret[]>;
  /** Up to `limit` secrets that an earlier release stored in the clear. */
  plain(limit: number): Promise<readonly PlainSecret[]>;
  /** Replaces a secret that is unchanged since it was read; false when it has changed. Writes `act` with it. */
  reencrypt(
    secret: EncryptedSecret | PlainSecret,
    encryptedToken: EncryptedToken,
    act?: InstallationAct,
  ): Promise<boolean>;
}

export interface EncryptedSecret {
  readonly kind: TokenOwner['kind'];
  /** The row: the id of a user, a repository, a notification target or one of its secrets, or a second factor. */
  readonly id: string;
  readonly userId: UserId;
  readonly encryptedToken: EncryptedToken;
}

export interface PlainSecret extends Omit<EncryptedSecret, 'encryptedToken'> {
  readonly plain: string;
}
