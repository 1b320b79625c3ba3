import type { TokenCipher } from '../account/token-cipher.ts';
import type { UserStore } from '../account/user-store.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import type { CodeHost } from '../code-host/code-host.ts';
import type { CodeHostTokens } from '../code-host/code-host-tokens.ts';
import { AppError } from '../error/app-error.ts';
import type { ErrorCode } from '../error/error-catalog.ts';
import type { Ids, RepoId, UserId } from '../id/id.ts';
import type { ResponseToStore } from '../request/idempotency-store.ts';
import type { RemoteFacts, RemoteInspector } from '../workspace/workspace.ts';
import { currentRepo } from './current-repo.ts';
import { hostedName } from './hosted-name.ts';
import type { RegistrationIndex } from './registration-index.ts';
import type { NewRepo, Repo, RepoSettings } from './repo.ts';
import { repoTokenOwner } from './repo-access.ts';
import { isLocalAddress } from './repo-address.ts';
import type { RepoStore } from './repo-store.ts';
import { requireBranch } from './require-branch.ts';

/** Where a repository is: at a URL, or by its `owner/name` at the code host. */
export type RepoSource =
  | { readonly url: string; readonly accessToken: string | null }
  | { readonly codehostRepo: string };

export interface RepoDraft {
  readonly source: RepoSource;
  readonly defaultBranch?: string | undefined;
  readonly setupCommand?: string | null | undefined;
  readonly testCommand?: string | null | undefined;
  readonly instructions?: string | null | undefined;
  readonly settings: RepoSettings;
}

export interface CreateRepoContext {
  readonly repos: RepoStore;
  readonly users: Pick<UserStore, 'isFirst'>;
  /** Who may register folders of the host, where anybody may. */
  readonly localReposFor: 'everybody' | 'first-user';
  readonly ids: Ids;
  readonly remotes: RemoteInspector;
  readonly cipher: TokenCipher;
  /** Null where no code host is configured. */
  readonly codehost: { readonly host: Pick<CodeHost, 'repo' | 'repoById'> } | null;
  readonly codehostTokens: CodeHostTokens | null;
  readonly codehostIndex: Pick<RegistrationIndex, 'registered'>;
}

interface CreateRepoRequest {
  readonly draft: RepoDraft;
  readonly signal: AbortSignal;
  readonly by: Initiator;
  /** Stored with the repository, for a request with an idempotency key. */
  readonly response?: ResponseToStore<Repo> | undefined;
}

/** What a source comes to once it was reached. */
type Reached = Pick<NewRepo, 'name' | 'provider' | 'codehostRepoId' | 'accessToken'> & { readonly facts: RemoteFacts };

/**
 * Registers a repository after having reached it: one of the code host by the user's own account there, which is what
 * it is reached by ever after.
 *
 * @throws AppError `remote_refused`, `repo_unreachable`, `base_branch_missing`, `repo_exists`; for one of the code host also
 * `codehost_not_configured`, `codehost_not_linked`, `codehost_relink_needed`, `codehost_unavailable`, `codehost_busy`
 */
export async function createRepo(context: CreateRepoContext, request: CreateRepoRequest): Promise<Repo> {
  const { draft, by, response } = request;
  const { userId } = by;
  await refuseLocalOfOthers(context, userId, draft.source);
  const id = context.ids.next() as RepoId;
  const { facts, ...reached } = await reach(context, { id, userId }, request);
  const defaultBranch = draft.defaultBranch ?? facts.defaultBranch;
  requireBranch(facts.branches, {
    name: defaultBranch,
    field: 'default_branch',
  });
  const repo: NewRepo = {
    ...reached,
    id,
    userId,
    url: facts.url,
    canonicalRemote: facts.canonicalRemote,
    defaultBranch,
    setupCommand: draft.setupCommand ?? null,
    testCommand: draft.testCommand ?? null,
    instructions: draft.instructions ?? null,
    settings: draft.settings,
  };
  await refuseRenamed(context, repo);
  const audit = auditEntry(by, { action: 'repo.registered', subjectId: id, detail: { name: repo.name } });
  const outcome = await context.repos.create(repo, { audit, response });
  if (outcome.kind === 'created') return outcome.repo;
  if (!(await hasMovedAway(context, { repo, thereId: outcome.repoId, signal: request.signal })))
    throw exists(outcome.repoId);
  const again = await context.repos.create(repo, { audit, response });
  if (again.kind === 'created') return again.repo;
  throw exists(again.repoId);
}

/**
 * Whoever may register a folder of the host reads what the service can read. Asked before the address is looked at, so
 * that the refusal says nothing of what is there.
 */
async function refuseLocalOfOthers(
  { users, localReposFor }: CreateRepoContext,
  userId: UserId,
  source: RepoSource,
): Promise<void> {
  if (localReposFor === 'everybody' || !('url' in source) || !isLocalAddress(source.url)) return;
  if (await users.isFirst(userId)) return;
  const detail =
    'Only the first account of this server may register folders of its host. The operator can set ALLOW_LOCAL_REPOS=on to allow every account.';
  throw new AppError('remote_refused', { detail, errors: [{ path: 'url', message: detail }] });
}

function exists(repoId: RepoId): AppError {
  const detail = `You have already registered this repository as ${repoId}.`;
  return new AppError('repo_exists', { detail, body: { repo_id: repoId } });
}

/** It may be registered by a name that it had before. */
async function refuseRenamed(
  { codehostIndex, repos }: CreateRepoContext,
  { userId, codehostRepoId, url }: NewRepo,
): Promise<void> {
  if (codehostRepoId === null) return;
  const there = (await codehostIndex.registered(userId, [codehostRepoId])).get(codehostRepoId);
  if (there === undefined) return;
  await repos.relocate(there, hostedName({ provider: 'codehost', url }));
  throw exists(there);
}

/** Whether the registration at this address is of another repository, which the code host has elsewhere by now. */
async function hasMovedAway(
  context: CreateRepoContext,
  { repo, thereId, signal }: { repo: NewRepo; thereId: RepoId; signal: AbortSignal },
): Promise<boolean> {
  const there = await context.repos.get(thereId);
  if (there === null || there.codehostRepoId === null || there.codehostRepoId === repo.codehostRepoId) return false;
  return (await currentRepo(context, there, signal)).url !== there.url;
}

async function reach(
  context: CreateRepoContext,
  { id, userId }: Pick<Repo, 'id' | 'userId'>,
  request: CreateRepoRequest,
): Promise<Reached> {
  const { source } = request.draft;
  if ('codehostRepo' in source)
    return await reachHosted(context, userId, { ...request, fullName: source.codehostRepo });
  const { url, accessToken } = source;
  const facts = await context.remotes.inspect(url, accessToken, request.signal);
  const sealed = accessToken === null ? null : context.cipher.encrypt(repoTokenOwner({ id, userId }), accessToken);
  return { facts, name: facts.name, provider: 'git', codehostRepoId: null, accessToken: sealed };
}

async function reachHosted(
  { codehost, codehostTokens, remotes }: CreateRepoContext,
  userId: UserId,
  { fullName, signal }: { fullName: string; signal: AbortSignal },
): Promise<Reached> {
  if (codehost === null || codehostTokens === null) throw new AppError('codehost_not_configured');
  try {
    const hosted = await codehostTokens.callAsUser(userId, signal, (call) => codehost.host.repo(call, fullName));
    const facts = await remotes.inspect(hosted.url, await codehostTokens.of(userId, signal), signal);
    return {
      facts: { ...facts, defaultBranch: hosted.defaultBranch },
      name: hosted.fullName, // as the host spells it, which may not be how it was given
      provider: 'codehost',
      codehostRepoId: hosted.id,
      accessToken: null,
    };
  } catch (error) {
    throw asUnreachable(error, fullName);
  }
}

const says: Partial<Record<ErrorCode, (fullName: string, error: AppError) => string>> = {
  codehost_not_found: (fullName) => `The code host has no repository ${fullName}, or your account cannot see it.`,
  codehost_forbidden: (_, error) => error.message,
  repo_unreachable: (_, error) => error.message,
  remote_refused: (_, error) => error.message,
};

/** What is wrong with the repository that was named is a fault of that field; all else stays what it is. */
function asUnreachable(error: unknown, fullName: string): unknown {
  if (!(error instanceof AppError)) return error;
  const detail = says[error.code]?.(fullName, error);
  if (detail === undefined) return error;
  const code = error.kind === 'invalid' ? error.code : 'repo_unreachable';
  return new AppError(code, { detail, errors: [{ path: 'codehost_repo', message: detail }] }, { cause: error });
}
