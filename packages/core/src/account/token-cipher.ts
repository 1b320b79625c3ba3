/**
 * A secret of a user's, encrypted at rest: AES-256-GCM, a fresh nonce for every write, and what it is sealed for as
 * additional data.
 */
export interface EncryptedToken {
  /**
   * `keyId:v2:base64(ciphertext + tag)`. Without `v2:` it is of an earlier release, and its additional data is the user's
   * id alone.
   */
  readonly encrypted: string;
  /** base64 of 96 bits */
  readonly nonce: string;
}

/** What a token is sealed for. In another row, of another kind or of another user it does not open. */
export interface TokenOwner {
  readonly kind: 'codehost_grant' | 'repo_access_token';
  /** Of the row that it stands in; a grant's is its user's. */
  readonly id: string;
  readonly userId: string;
}

/** Seals and opens tokens. Opened only in memory, at the moment of a call. */
export interface TokenCipher {
  /**
   * @param replaced the token that this one takes the place of, if there is one: it keeps that one's form, so that a
   * process of the release before, which may work with it, can still read it
   */
  encrypt(owner: TokenOwner, token: string, replaced?: EncryptedToken | null): EncryptedToken;
  /** @throws when the key is unknown, the token is sealed for something else or was tampered with */
  decrypt(owner: TokenOwner, sealed: EncryptedToken): string;
}
