import type { Authorized } from '../access/authorized.ts';
import { neededOnRepo } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { RemoteInspector } from '../workspace/workspace.ts';
import { type CurrentRepoContext, currentAccess } from './current-repo.ts';
import type { Repo, RepoPatch } from './repo.ts';
import { type RepoAccessContext, repoTokenOwner } from './repo-access.ts';
import type { RepoStore } from './repo-store.ts';
import { requireBranch } from './require-branch.ts';

/** A change by an admin. Absent fields stay as they are; settings are merged. */
export interface RepoChange extends Omit<RepoPatch, 'accessToken'> {
  /** Null deletes the token. */
  readonly accessToken?: string | null | undefined;
}

export interface UpdateRepoContext extends RepoAccessContext, Pick<CurrentRepoContext, 'codehost'> {
  readonly repos: RepoStore;
  readonly remotes: RemoteInspector;
}

/**
 * Changes a registered repository. A new default branch or token is tested first.
 *
 * @throws AppError `repo_not_found`, `remote_refused`, `repo_unreachable`, `base_branch_missing`, `validation_failed` for an
 * access token for a repository of the code host, and what calls to the code host throw
 */
export async function updateRepo(
  context: UpdateRepoContext,
  repo: Authorized<Repo, 'configure'>,
  request: { change: RepoChange; by: Initiator; signal: AbortSignal },
): Promise<Repo> {
  const { change, by, signal } = request;
  const { accessToken, ...plain } = change;
  if (repo.provider === 'codehost' && typeof accessToken === 'string') throw tokenRefused();
  if (change.defaultBranch !== undefined || typeof accessToken === 'string') {
    const isKept = accessToken === undefined || repo.provider === 'codehost';
    const { url, userId, token } = await currentAccess(context, repo, signal);
    const asked = { url, token: isKept ? await token(signal) : accessToken, userId };
    const facts = await context.remotes.inspect(asked, signal);
    requireBranch(facts.branches, { name: change.defaultBranch ?? repo.defaultBranch, field: 'default_branch' });
  }
  const patch: RepoPatch = {
    ...plain,
    ...(accessToken === undefined
      ? {}
      : {
          accessToken:
            accessToken === null ? null : context.cipher.encrypt(repoTokenOwner(repo), accessToken, repo.accessToken),
        }),
  };
  const updated = await context.repos.update(repo.id, patch, (name) =>
    auditEntry(
      by,
      { action: 'repo.changed', subjectId: repo.id, detail: { name, fields: fieldsOf(patch) } },
      neededOnRepo('configure', repo),
    ),
  );
  if (updated === null) throw new AppError('repo_not_found');
  return updated;
}

/** The changed members by their names on the wire. */
function fieldsOf(patch: RepoPatch): string[] {
  const changed = Object.entries(patch).filter(([, value]) => value !== undefined);
  return changed.map(([name]) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).sort();
}

function tokenRefused(): AppError {
  const message = 'must not be set for a repository of the code host, which is reached with your account there';
  return new AppError('validation_failed', {
    detail: `The request is not valid. access_token: ${message}.`,
    errors: [{ path: 'access_token', message }],
  });
}
