import type { Authorized } from '../access/authorized.ts';
import { neededOnRepo } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { Repo } from './repo.ts';
import type { RepoStore } from './repo-store.ts';

/**
 * Deletes a repository with its issues: those that have ended, and those that nobody has started or that wait for it.
 *
 * @throws AppError `repo_has_active_issue`, `repo_not_found` after a concurrent deletion
 */
export async function deleteRepo(
  context: { repos: Pick<RepoStore, 'get' | 'remove'> },
  repo: Authorized<Repo, 'configure'>,
  { by }: { readonly by: Initiator },
): Promise<void> {
  const outcome = await context.repos.remove(repo.id, (name) =>
    auditEntry(by, { action: 'repo.removed', subjectId: repo.id, detail: { name } }, neededOnRepo('configure', repo)),
  );
  if (outcome === 'absent') throw new AppError('repo_not_found');
  if (outcome === 'removed') return;
  const now = await context.repos.get(repo.id);
  const holder = now?.activeIssueId ?? null;
  throw new AppError(
    'repo_has_active_issue',
    holder === null
      ? {}
      : { detail: `Issue ${holder} is active on this repository. Cancel it first.`, body: { active_issue_id: holder } },
  );
}
