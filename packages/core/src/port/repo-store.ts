import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { RepoId, UserId } from '../id.ts';
import type { Page, PageRequest } from '../page.ts';
import type { NewRepo, Repo, RepoIndex, RepoPatch } from '../repo/repo.ts';

/** The audit entry of a write, made with the repository's name. It is written with the change, or not at all. */
export type RepoAudit = (name: string) => NewAuditEntry;

export interface RepoStore {
  /** `exists` when the user has registered the same canonical remote already. */
  create(
    repo: NewRepo,
    audit?: NewAuditEntry,
  ): Promise<{ kind: 'created'; repo: Repo } | { kind: 'exists'; repoId: RepoId }>;
  get(id: RepoId): Promise<Repo | null>;
  list(userId: UserId, page: PageRequest): Promise<Page<Repo>>;
  update(id: RepoId, patch: RepoPatch, audit?: RepoAudit): Promise<Repo | null>;
  setIndex(id: RepoId, index: RepoIndex): Promise<void>;
  /** Deletes the repository with its ended issues; `active` while an issue is active on it. One act. */
  remove(id: RepoId, audit?: RepoAudit): Promise<'removed' | 'active' | 'absent'>;
}
