import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { WrittenWith } from '../audit/audit-entry.ts';
import type { RepoId, UserId } from '../id/id.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type { NewRepo, Repo, RepoIndex, RepoPatch } from './repo.ts';
import type { ActiveHolder } from './repo-busy.ts';

/** Makes the audit entry of a write from the repository's name, which the write reads. */
export type RepoAudit = (name: string) => NewAuditEntry;

/** What came of writing down where a repository is now. */
export type RelocateOutcome =
  | { readonly kind: 'relocated'; readonly repo: Repo }
  /** Its user has registered that place already. */
  | { readonly kind: 'taken'; readonly repoId: RepoId }
  /** An issue is active on it, and another one is active there: both were begun before it was known that they are one. */
  | { readonly kind: 'busy'; readonly holder: ActiveHolder }
  | { readonly kind: 'absent' };

export interface RepoStore {
  /**
   * `exists` when the user has registered the same canonical remote already.
   *
   * @throws AppError `idempotency_key_busy`, and nothing is written, when another process has taken over the request of `response`
   */
  create(
    repo: NewRepo,
    also?: WrittenWith<Repo>,
  ): Promise<{ kind: 'created'; repo: Repo } | { kind: 'exists'; repoId: RepoId }>;
  get(id: RepoId): Promise<Repo | null>;
  list(userId: UserId, page: PageRequest): Promise<Page<Repo>>;
  update(id: RepoId, patch: RepoPatch, audit?: RepoAudit): Promise<Repo | null>;
  /**
   * Writes down what the code host calls a repository now (`fullName`), on each registration of it, whoever's, where that is
   * possible; active issues hold it by its new address from then on. A name that its user has chosen stays. One act.
   *
   * @returns what came of the registration `id`
   */
  relocate(id: RepoId, fullName: string): Promise<RelocateOutcome>;
  setIndex(id: RepoId, index: RepoIndex): Promise<void>;
  /** Deletes the repository with its ended issues; `active` while an issue is active on it. One act. */
  remove(id: RepoId, audit?: RepoAudit): Promise<'removed' | 'active' | 'absent'>;
}
