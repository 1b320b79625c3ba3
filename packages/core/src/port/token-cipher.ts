/** A secret of a user's, encrypted at rest: AES-256-GCM, a fresh nonce for every write, the user's id as additional data. */
export interface SealedToken {
  /** `keyId:base64(ciphertext + tag)` */
  readonly encrypted: string;
  /** base64 of 96 bits */
  readonly nonce: string;
}

/** Seals and opens tokens. Opened only in memory, at the moment of a call. */
export interface TokenCipher {
  seal(userId: string, token: string): SealedToken;
  /** @throws when the key is unknown or the data was tampered with */
  open(userId: string, sealed: SealedToken): string;
}
