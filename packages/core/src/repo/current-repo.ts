import type { CodeHost } from '../code-host/code-host.ts';
import type { CodeHostTokens } from '../code-host/code-host-tokens.ts';
import { AppError } from '../error/app-error.ts';
import type { RepoAccess } from '../workspace/workspace.ts';
import { hostedName } from './hosted-name.ts';
import type { Repo } from './repo.ts';
import { accessTo, type RepoAccessContext } from './repo-access.ts';
import { repoBusy } from './repo-busy.ts';
import type { RelocateOutcome, RepoStore } from './repo-store.ts';

export interface CurrentRepoContext {
  readonly repos: Pick<RepoStore, 'get' | 'relocate'>;
  /** Null where no code host is configured. */
  readonly codehost: { readonly host: Pick<CodeHost, 'url' | 'repoById'> } | null;
  readonly codehostTokens: Pick<CodeHostTokens, 'callAsUser'> | null;
}

/**
 * The registration with the current address of its repository at the code host. A repository can be renamed or change its
 * owner, git follows no redirect, and its former name may belong to a stranger, whose text must not pass for that of its
 * own people. So this runs before anything is read from or pushed to a name. The request costs no quota when nothing has
 * changed.
 *
 * @throws AppError `repo_nested_group` when its address is no owner and name at the code host, `codehost_not_found` when it
 * is gone or hidden from the user's account, `repo_exists` when the user has also registered its current address, `repo_busy` when another issue is in progress there, and what calls to the code host
 * throw
 */
export async function currentRepo(context: CurrentRepoContext, repo: Repo, signal: AbortSignal): Promise<Repo> {
  return await present(context, repo, { signal, settlesOthers: true });
}

/**
 * Access to the repository at its current address.
 *
 * @throws AppError what `currentRepo` throws
 */
export async function currentAccess(
  context: CurrentRepoContext & RepoAccessContext,
  repo: Repo,
  signal: AbortSignal,
): Promise<RepoAccess> {
  return accessTo(context, await currentRepo(context, repo, signal));
}

async function present(
  context: CurrentRepoContext,
  repo: Repo,
  { signal, settlesOthers }: { signal: AbortSignal; settlesOthers: boolean },
): Promise<Repo> {
  const { repos, codehost, codehostTokens } = context;
  const { codehostRepoId } = repo;
  if (repo.provider !== 'codehost' || codehostRepoId === null) return repo;
  if (codehost === null || codehostTokens === null) throw new AppError('codehost_not_configured');
  const { host } = codehost;
  const { registered, current } = await codehostTokens.callAsUser(repo.userId, signal, async (call) => {
    // Not before: a host that has moved gives no tokens, which is the reason to name.
    const registered = hostedName(host, repo);
    return { registered, current: (await host.repoById(call, codehostRepoId)).fullName };
  });
  if (current === registered) return repo;
  const outcome = await repos.relocate(repo.id, { host: host.url, name: current });
  if (outcome.kind === 'relocated') return outcome.repo;
  const other = outcome.kind === 'taken' && settlesOthers ? await repos.get(outcome.repoId) : null;
  if (other === null || other.codehostRepoId === null || other.codehostRepoId === codehostRepoId) {
    throw refusal(outcome, { repo, fullName: current });
  }
  // The name belonged to another repository, which was renamed as well.
  await present(context, other, { signal, settlesOthers: false });
  return await present(context, repo, { signal, settlesOthers: false });
}

function refusal(
  outcome: Exclude<RelocateOutcome, { kind: 'relocated' }>,
  { repo, fullName }: { repo: Repo; fullName: string },
): AppError {
  if (outcome.kind === 'absent') return new AppError('repo_not_found');
  if (outcome.kind === 'busy') return repoBusy(outcome.holder, repo.id);
  return new AppError('repo_exists', {
    detail: `This repository is ${fullName} at the code host now, which you have also registered as ${outcome.repoId}. Use that one.`,
    body: { repo_id: outcome.repoId },
  });
}
