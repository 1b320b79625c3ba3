import type { Ids } from '../clock.ts';
import { AppError } from '../error/app-error.ts';
import type { RepoId, UserId } from '../id.ts';
import type { RepoStore } from '../port/repo-store.ts';
import type { TokenCipher } from '../port/token-cipher.ts';
import type { RemoteInspector } from '../port/workspace.ts';
import type { Repo, RepoSettings } from './repo.ts';
import { requireBranch } from './require-branch.ts';

export interface RepoDraft {
  readonly url: string;
  readonly accessToken?: string | undefined;
  readonly defaultBranch?: string | undefined;
  readonly setupCommand?: string | null | undefined;
  readonly testCommand?: string | null | undefined;
  readonly instructions?: string | null | undefined;
  readonly settings: RepoSettings;
}

export interface CreateRepoContext {
  readonly repos: RepoStore;
  readonly ids: Ids;
  readonly remotes: RemoteInspector;
  readonly cipher: TokenCipher;
}

/**
 * Registers a repository after having reached it.
 *
 * @throws AppError `remote_refused`, `repo_unreachable`, `base_branch_missing`, `repo_exists`
 */
export async function createRepo(
  context: CreateRepoContext,
  userId: UserId,
  request: { draft: RepoDraft; signal: AbortSignal },
): Promise<Repo> {
  const { draft, signal } = request;
  const facts = await context.remotes.inspect(draft.url, draft.accessToken ?? null, signal);
  const defaultBranch = draft.defaultBranch ?? facts.defaultBranch;
  requireBranch(facts.branches, {
    name: defaultBranch,
    field: 'default_branch',
  });
  const outcome = await context.repos.create({
    id: context.ids.next() as RepoId,
    userId,
    name: facts.name,
    url: facts.url,
    canonicalRemote: facts.canonicalRemote,
    defaultBranch,
    provider: 'git',
    codehostRepoId: null,
    setupCommand: draft.setupCommand ?? null,
    testCommand: draft.testCommand ?? null,
    instructions: draft.instructions ?? null,
    settings: draft.settings,
    accessToken: draft.accessToken === undefined ? null : context.cipher.seal(userId, draft.accessToken),
  });
  if (outcome.kind === 'created') return outcome.repo;
  throw new AppError('repo_exists', {
    detail: `You have registered this repository already, as ${outcome.repoId}.`,
    body: { repo_id: outcome.repoId },
  });
}
