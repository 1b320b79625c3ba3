import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { RepoId, UserId } from '../id/id.ts';

/** A registration that cannot follow its host to another address yet, and what stands there. */
export interface BlockedMove {
  readonly repoId: RepoId;
  readonly userId: UserId;
  /** `registration`: its user has registered that address as well. `issue`: one of each address is in progress. */
  readonly by: { readonly kind: 'registration' | 'issue'; readonly id: string };
}

type SiteMoveOutcome =
  | { readonly kind: 'moved'; readonly from: string; readonly repos: number }
  /** Nothing was changed. */
  | { readonly kind: 'blocked'; readonly from: string; readonly blocked: readonly BlockedMove[] }
  /** The database is of no code host yet. */
  | { readonly kind: 'none' };

/** What was of a code host and is of none any more. */
interface ForgottenSite {
  /** Null when no server had kept one. */
  readonly origin: string | null;
  /** Whose accounts were linked there. */
  readonly users: readonly UserId[];
  readonly repos: number;
}

/**
 * Which code host the accounts, grants, registrations and marks of a database are of, by the web origin (`https://host`).
 * An account is its number at the host, and another host gives the same numbers to other people.
 */
export interface CodeHostSiteStore {
  /** Keeps `origin` where none was kept before. One act: of several at once all are answered the same. @returns what is kept */
  claim(origin: string): Promise<string>;
  /** Null where none is. */
  kept(): Promise<string | null>;
  /** The same host at another address: its registrations follow, all of them or none. */
  move(origin: string): Promise<SiteMoveOutcome>;
  /**
   * Unlinks every account, takes every grant, and forgets what was under way and what was seen there. Registrations stay
   * as plain remotes, which nobody's token is sent to. `audit` is written for each user who was linked.
   */
  forget(audit: (userId: UserId) => NewAuditEntry): Promise<ForgottenSite>;
}
