import type { NewSession } from '../account/session-store.ts';
import type { EncryptedToken } from '../account/token-cipher.ts';
import type { EndingAudit } from '../account/user-store.ts';
import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { ApiTokenId, RepoId, SessionId, UserId } from '../id/id.ts';
import type { Member } from '../member/member.ts';

/** Who asks for the deletion of their account, and how they have just shown that it is theirs. */
export interface DeletionProof {
  readonly userId: UserId;
  /** The session in which they ask. Void once it has ended. */
  readonly sessionId: SessionId;
  /** The hash that the current password was compared with; null where a recent sign-in counts instead. */
  readonly ifPasswordHash: string | null;
  /** The factor that completed the password, if the account has one. Used up by `begin`. */
  readonly secondFactor?: NewSession['secondFactor'];
}

/** Another admin, to whom a repository is handed over. */
export type Heir = Pick<Member, 'userId' | 'name' | 'email' | 'codehostLogin'>;

/** The fate of a repository that the user has registered: without an heir it is removed with its issues. */
export interface LeftRepo {
  readonly id: RepoId;
  readonly name: string;
  readonly heir: Heir | null;
  readonly issues: number;
  /** The number of `issues` that other users created. */
  readonly issuesOfOthers: number;
  /** Whether an access token is stored with it. It is deleted: it is the leaver's. */
  readonly hasToken: boolean;
}

/** What a deletion would do at this moment. */
export interface DeletionPlan {
  /** No one else would be an operator who can log in, so that the account cannot be deleted. */
  readonly isLastOperator: boolean;
  readonly hasPassword: boolean;
  /** Issues that have not ended and would be cancelled: the user's, and all in repositories that would be removed. */
  readonly issuesToCancel: number;
  /** The user's issues in repositories that stay; counted up to `MAX_COUNTED_ISSUES`, as those of `repos` are. */
  readonly issuesKept: number;
  readonly repos: readonly LeftRepo[];
}

/** Who may be the registrant of a folder of the host. */
export interface HeirRules {
  readonly foldersFor: 'everybody' | 'operators';
}

type BeginDeletionOutcome =
  | 'begun'
  /** The session has ended, the password was changed, or the second factor was used up. Nothing was written. */
  | 'stale'
  | 'last_operator';

export type SettleRepoOutcome =
  | { readonly kind: 'handed_over'; readonly to: UserId }
  | { readonly kind: 'removed' }
  /** It has no heir, and an issue is active on it. Nothing was written. */
  | { readonly kind: 'active' }
  /** It is no longer the user's. */
  | { readonly kind: 'absent' };

export type FinishDeletionOutcome =
  | {
      readonly kind: 'deleted';
      readonly endedSessions: readonly SessionId[];
      readonly endedTokens: readonly ApiTokenId[];
      /** The grant of the code host that was stored, to be revoked there. */
      readonly codehostGrant: EncryptedToken | null;
    }
  /** The user has an issue that has not ended, or a repository. Nothing was written. */
  | { readonly kind: 'busy' }
  | { readonly kind: Exclude<BeginDeletionOutcome, 'begun'> };

/**
 * The deletion of an account, as steps that are one transaction each. Between them the account is whole: it can be used, and the
 * deletion asked for again.
 */
export interface DeletionStore {
  plan(userId: UserId, rules: HeirRules): Promise<DeletionPlan>;
  /** Uses up the second factor, unless the account cannot be deleted at this moment. */
  begin(proof: DeletionProof): Promise<BeginDeletionOutcome>;
  /** The repositories that the user has registered. */
  repos(userId: UserId): Promise<readonly RepoId[]>;
  /** Hands a repository over to the admin who has been a member for the longest time, or removes it. */
  settleRepo(
    repo: { readonly id: RepoId; readonly userId: UserId },
    rules: HeirRules,
    audit?: (name: string, heir: { readonly userId: UserId; readonly tokenDropped: boolean } | null) => NewAuditEntry,
  ): Promise<SettleRepoOutcome>;
  /**
   * Deletes all that is the user's, and leaves a row without name or address, to which issues and the audit log refer. Of two
   * operators who leave at once one gets `last_operator`.
   *
   * @param ofFlag written where the user was an operator
   */
  finish(proof: DeletionProof, audit?: EndingAudit, ofFlag?: NewAuditEntry): Promise<FinishDeletionOutcome>;
}
