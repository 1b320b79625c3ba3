import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { RepoId, UserId } from '../id/id.ts';

/** A registration that cannot move to the host's new address, with the reason. */
export interface BlockedMove {
  readonly repoId: RepoId;
  readonly userId: UserId;
  /** `registration`: the user has also registered the new address. `issue`: both addresses have an active issue. */
  readonly by: { readonly kind: 'registration' | 'issue'; readonly id: string };
}

type SiteMoveOutcome =
  | { readonly kind: 'moved'; readonly from: string; readonly repos: number }
  /** Nothing was changed. */
  | { readonly kind: 'blocked'; readonly from: string; readonly blocked: readonly BlockedMove[] }
  /** The database belongs to no code host yet. */
  | { readonly kind: 'none' };

/** The data that was unlinked from a code host. */
interface ForgottenSite {
  /** Null when none was stored. */
  readonly origin: string | null;
  /** The users whose accounts were linked. */
  readonly users: readonly UserId[];
  readonly repos: number;
}

/**
 * The code host that a database's accounts, grants, registrations and marks belong to, by its web origin (`https://host`).
 * Accounts are identified by their number, which another host gives to someone else.
 */
export interface CodeHostSiteStore {
  /** Stores `origin` unless one is stored. Concurrent calls get the same answer. @returns the stored origin */
  claim(origin: string): Promise<string>;
  /** The stored origin, or null. */
  kept(): Promise<string | null>;
  /** Moves all registrations, or none, to the new address of the same host. */
  move(origin: string): Promise<SiteMoveOutcome>;
  /**
   * Unlinks every account, and deletes grants, sign-ins in progress and marks. Registrations stay as plain remotes, to which
   * no user's token is sent. Writes `audit` for each linked user.
   */
  forget(audit: (userId: UserId) => NewAuditEntry): Promise<ForgottenSite>;
}
