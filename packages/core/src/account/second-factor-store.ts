import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { SessionId, UserId } from '../id/id.ts';
import type { NewSecondFactor, SecondFactor } from './second-factor.ts';
import type { EndingAudit } from './user-store.ts';

/** Attempts to finish one login or one enrollment. */
export const CHALLENGE_ATTEMPTS = 5;
/** Wrong codes of an authenticator app at one account within `CODE_WINDOW_MS`, over all of its logins. */
export const CODE_ATTEMPTS = 10;
export const CODE_WINDOW_MS = 3_600_000;

/** A login or a deletion whose password was right, or an enrollment: what waits for a second step. It can be finished once. */
export interface Challenge {
  /** The hash of what the client has to present. */
  readonly hash: string;
  readonly userId: UserId;
  /** The act that the second step is for: a login, the deletion of the account, or a new factor of a kind. */
  readonly purpose: 'login' | 'deletion' | 'passkey' | 'totp';
  /** A digest of the password hash that was checked: another password makes the challenge void. */
  readonly passwordDigest: string;
  /** The session that enrolls, or asks for the deletion; null for a login. */
  readonly sessionId: SessionId | null;
  /** The bytes that an authenticator has to sign; null where no passkey is asked for. */
  readonly toSign: string | null;
  readonly expiresAt: Date;
}

export type ChallengeAttempt =
  | { readonly kind: 'counted'; readonly challenge: Challenge }
  /** Unknown, expired, finished, or attempted too often. */
  | { readonly kind: 'void' }
  /** `CODE_ATTEMPTS` wrong codes were given at the account. Passkeys and recovery codes still work. */
  | { readonly kind: 'paused'; readonly until: Date };

/** What a login's second step used up. */
export type FactorUse =
  | { readonly kind: 'passkey'; readonly factorId: string; readonly counter: number }
  | { readonly kind: 'totp'; readonly factorId: string; readonly step: number }
  | { readonly kind: 'recovery_code'; readonly codeHash: string };

/** Who changes the factors of their account. */
export interface FactorChange {
  readonly userId: UserId;
  /** The hash that the current password was checked against. `stale` when it has changed. */
  readonly ifPasswordHash: string;
  /** The session that goes on; every other one ends. */
  readonly keep: SessionId;
}

interface Ended {
  readonly endedSessions: readonly SessionId[];
}
type Stale = { readonly kind: 'stale' };

type AddFactorOutcome =
  | (Ended & { readonly kind: 'added'; readonly factor: SecondFactor; readonly hasNewCodes: boolean })
  /** The account has as many as it may have, of this kind or together. */
  | { readonly kind: 'full' }
  /** This passkey is registered already. */
  | { readonly kind: 'taken' }
  /** The challenge was used, or the password changed. Nothing was written. */
  | Stale;

type RemoveFactorOutcome =
  | (Ended & { readonly kind: 'removed' })
  | { readonly kind: 'absent' }
  /** It is the last one, and was to be kept. */
  | { readonly kind: 'last' }
  | Stale;

type ReplaceCodesOutcome = (Ended & { readonly kind: 'replaced' }) | { readonly kind: 'absent' } | Stale;

/**
 * Second factors of accounts, their recovery codes, and the logins and enrollments that wait for one. Each change is one
 * transaction under a lock on the user. Logins use factors up in `SessionStore.create`, in the write that opens the session.
 */
export interface SecondFactorStore {
  /** Oldest first. */
  list(userId: UserId): Promise<readonly SecondFactor[]>;
  /** How many recovery codes were not used yet. */
  recoveryCodesLeft(userId: UserId): Promise<number>;
  hasRecoveryCode(userId: UserId, codeHash: string): Promise<boolean>;
  begin(challenge: Challenge): Promise<void>;
  /**
   * Counts an attempt before it is judged, so that attempts at the same time cannot pass the limit together.
   *
   * @param isCode whether a code of an authenticator app is tried, which can be guessed
   */
  attempt(hash: string, isCode: boolean): Promise<ChallengeAttempt>;
  /** Uses up the challenge and adds the factor; with the first one, also the recovery codes. */
  add(
    factor: NewSecondFactor,
    change: FactorChange & { readonly challengeHash: string; readonly codeHashes: readonly string[] },
    audit?: EndingAudit,
  ): Promise<AddFactorOutcome>;
  /** Null when there is no such factor of the user. Ends no session. */
  rename(
    userId: UserId,
    factor: { readonly id: string; readonly name: string },
    audit?: NewAuditEntry,
  ): Promise<SecondFactor | null>;
  /** With the last factor the recovery codes go too. */
  remove(
    id: string,
    change: FactorChange & { readonly keepLast: boolean },
    audit?: EndingAudit,
  ): Promise<RemoveFactorOutcome>;
  /** `absent` for an account without a factor. */
  replaceRecoveryCodes(
    codeHashes: readonly string[],
    change: FactorChange,
    audit?: EndingAudit,
  ): Promise<ReplaceCodesOutcome>;
  /** Removes every factor and recovery code of a user, and ends their sessions; for the operator. */
  removeAll(userId: UserId, audit?: EndingAudit): Promise<readonly SessionId[]>;
}
