import type { InstallationAct } from '../audit/audit-catalog.ts';
import type { UserId } from '../id/id.ts';
import type { SealedToken } from './token-cipher.ts';

/** Sealed secrets, row by row, for the rotation of keys. */
export interface SealedSecretStore {
  /** Up to `limit` secrets that are sealed under none of these: ids of keys, alone or with the form behind (`2026a:v2`). */
  sealedUnderOther(keys: readonly string[], limit: number): Promise<readonly SealedSecret[]>;
  /** Replaces one if it is still what `secret` says; false when it was changed meanwhile. `act` is written with it. */
  reseal(secret: SealedSecret, sealed: SealedToken, act?: InstallationAct): Promise<boolean>;
}

export interface SealedSecret {
  readonly kind: 'codehost_grant' | 'repo_access_token';
  /** The row: a user's id or a repository's. */
  readonly id: string;
  readonly userId: UserId;
  readonly sealed: SealedToken;
}
