import type { InstallationAct } from '../audit/audit-catalog.ts';
import type { UserId } from '../id/id.ts';
import type { EncryptedToken } from './token-cipher.ts';

/** Sealed secrets, row by row, for the rotation of keys. */
export interface EncryptedSecretStore {
  /** Up to `limit` secrets that are sealed under none of these: ids of keys, alone or with the form behind (`2026a:v2`). */
  encryptedUnderOther(keys: readonly string[], limit: number): Promise<readonly EncryptedSecret[]>;
  /** Replaces one if it is still what `secret` says; false when it was changed meanwhile. `act` is written with it. */
  reencrypt(secret: EncryptedSecret, sealed: EncryptedToken, act?: InstallationAct): Promise<boolean>;
}

export interface EncryptedSecret {
  readonly kind: 'codehost_grant' | 'repo_access_token';
  /** The row: a user's id or a repository's. */
  readonly id: string;
  readonly userId: UserId;
  readonly sealed: EncryptedToken;
}
