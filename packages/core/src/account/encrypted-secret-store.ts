import type { InstallationAct } from '../audit/audit-catalog.ts';
import type { UserId } from '../id/id.ts';
import type { EncryptedToken } from './token-cipher.ts';

/** Encrypted secrets, row by row, for key rotation. */
export interface EncryptedSecretStore {
  /** Up to `limit` secrets encrypted under none of these keys: key ids, alone or with the form (`2026a:v2`). */
  encryptedUnderOther(keys: readonly string[], limit: number): Promise<readonly EncryptedSecret[]>;
  /** Replaces a secret that is unchanged since it was read; false when it has changed. Writes `act` with it. */
  reencrypt(secret: EncryptedSecret, sealed: EncryptedToken, act?: InstallationAct): Promise<boolean>;
}

export interface EncryptedSecret {
  readonly kind: 'codehost_grant' | 'repo_access_token';
  /** The row: the id of a user or a repository. */
  readonly id: string;
  readonly userId: UserId;
  readonly sealed: EncryptedToken;
}
