import type { Caller } from '../access/caller.ts';
import type { User } from '../account/user.ts';
import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { WrittenWith } from '../audit/audit-entry.ts';
import type { CodeHost } from '../code-host/code-host.ts';
import type { HostedName } from '../code-host/hosted-name.ts';
import type { RepoId } from '../id/id.ts';
import type { ApprovalRules } from '../pipeline/approval-policy.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type { NewRepo, Repo, RepoPatch } from './repo.ts';
import type { ActiveHolder } from './repo-busy.ts';

/** Makes the audit entry of a write from the repository's name, which the write reads. */
type RepoAudit = (name: string) => NewAuditEntry;

/** Where a repository is at the code host. */
export interface HostedPlace {
  /** The host's own address. */
  readonly host: CodeHost['url'];
  readonly name: HostedName;
}

/** The outcome of updating a repository's address. */
export type RelocateOutcome =
  | { readonly kind: 'relocated'; readonly repo: Repo }
  /** The user has already registered that address. */
  | { readonly kind: 'taken'; readonly repoId: RepoId }
  /** Both addresses have an active issue, started before they were known to be the same repository. */
  | { readonly kind: 'busy'; readonly holder: ActiveHolder }
  /** It is not there, or its address is no owner and name at that host. */
  | { readonly kind: 'absent' };

/** A registered repository, as operators see it. */
export interface RegisteredRepo {
  readonly id: RepoId;
  readonly name: string;
  /** The user who registered it: Sluice reaches it with their account, so it takes no new issues while they are disabled. */
  readonly registrant: Pick<User, 'id' | 'name' | 'email' | 'codehostLogin'> & { readonly isDisabled: boolean };
  /** With the user who registered it. */
  readonly members: number;
  /** The time of the last change of its newest issue or its settings, or of the last act in it. */
  readonly lastActivityAt: Date;
  readonly createdAt: Date;
}

export interface RepoStore {
  /**
   * `exists` when the user has already registered the same canonical remote.
   *
   * @throws AppError, and nothing is written: `idempotency_key_busy` when another process has taken over the request of
   * `response`; `account_disabled` when the user is disabled or has deleted their account
   */
  create(
    repo: NewRepo,
    also?: WrittenWith<Repo>,
  ): Promise<{ kind: 'created'; repo: Repo } | { kind: 'exists'; repoId: RepoId }>;
  get(id: RepoId): Promise<Repo | null>;
  /**
   * The rules for approvals at the gates of its issues: the stricter of its settings and the minimum of the
   * installation.
   */
  approvalRules(id: RepoId): Promise<ApprovalRules | null>;
  /** Lists the repositories in which the caller has a role, newest first. */
  list(caller: Caller, page: PageRequest): Promise<Page<Repo>>;
  /** Lists the repositories of all users, newest first. */
  listAll(page: PageRequest): Promise<Page<RegisteredRepo>>;
  /** Absent members stay as they are, those of the settings too. Null for a repository that is not there. */
  update(id: RepoId, patch: RepoPatch, audit?: RepoAudit): Promise<Repo | null>;
  /**
   * Updates the address of a repository that the code host has renamed, in every user's registration where that is
   * possible. Active issues then hold the new address. A name chosen by the user stays. Atomic.
   *
   * @returns the outcome for the registration `id`
   */
  relocate(id: RepoId, to: HostedPlace): Promise<RelocateOutcome>;
  /**
   * Deletes the repository with its issues; `active` while an issue is active on it. Atomic: from here on nobody sees any
   * of them, and the address can be registered again. Many rows are deleted later, by `MaintenanceStore.deleteRemoved`.
   */
  remove(id: RepoId, audit?: RepoAudit): Promise<'removed' | 'active' | 'absent'>;
}
