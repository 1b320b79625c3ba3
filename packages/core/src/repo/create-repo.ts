import type { TokenCipher } from '../account/token-cipher.ts';
import type { UserStore } from '../account/user-store.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import type { CodeHost } from '../code-host/code-host.ts';
import type { CodeHostTokens } from '../code-host/code-host-tokens.ts';
import { hostedNameAt, nestedGroup, parseHostedName } from '../code-host/hosted-name.ts';
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

/** A repository's address: a URL, or its `owner/name` at the code host. */
type RepoSource = { readonly url: string; readonly accessToken: string | null } | { readonly codehostRepo: string };

interface RepoDraft {
  readonly source: RepoSource;
  readonly defaultBranch?: string | undefined;
  readonly setupCommand?: string | null | undefined;
  readonly testCommand?: string | null | undefined;
  readonly instructions?: string | null | undefined;
  readonly settings: RepoSettings;
}

export interface CreateRepoContext {
  readonly repos: RepoStore;
  readonly users: Pick<UserStore, 'get'>;
  /** Who may register folders of the host, if local repositories are allowed. */
  readonly localReposFor: 'everybody' | 'operators';
  readonly ids: Ids;
  readonly remotes: RemoteInspector;
  readonly cipher: TokenCipher;
  /** Null where no code host is configured. */
  readonly codehost: { readonly host: Pick<CodeHost, 'url' | 'repo' | 'repoById'> } | null;
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

/** A source with the facts found by reaching it. */
type Reached = Pick<NewRepo, 'name' | 'provider' | 'codehostRepoId' | 'accessToken'> & { readonly facts: RemoteFacts };

/**
 * Registers a repository, after checking that it can be reached. A repository of the code host is reached with the user's
 * own account there, now and later.
 *
 * @throws AppError `remote_refused`, `repo_unreachable`, `base_branch_missing`, `repo_exists`; at the code host also
 * `repo_nested_group`, `codehost_not_configured`, `codehost_not_linked`, `codehost_relink_needed`, `codehost_unavailable`, `codehost_busy`
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
 * A user who registers a folder of the host can read whatever the service can read. This check comes before the address is
 * resolved, so that the refusal reveals nothing about it.
 */
async function refuseLocalOfOthers(
  { users, localReposFor }: CreateRepoContext,
  userId: UserId,
  source: RepoSource,
): Promise<void> {
  if (localReposFor === 'everybody' || !('url' in source) || !isLocalAddress(source.url)) return;
  if ((await users.get(userId))?.isOperator === true) return;
  const detail =
    'Only an operator of this server may register folders of its host. An operator can set ALLOW_LOCAL_REPOS=on to allow every account.';
  throw new AppError('remote_refused', { detail, errors: [{ path: 'url', message: detail }] });
}

function exists(repoId: RepoId): AppError {
  const detail = `You have already registered this repository as ${repoId}.`;
  return new AppError('repo_exists', { detail, body: { repo_id: repoId } });
}

/** The repository may be registered under a former name. */
async function refuseRenamed({ codehost, codehostIndex, repos }: CreateRepoContext, repo: NewRepo): Promise<void> {
  const { userId, codehostRepoId } = repo;
  if (codehost === null || codehostRepoId === null) return;
  const there = (await codehostIndex.registered(userId, [codehostRepoId])).get(codehostRepoId);
  if (there === undefined) return;
  await repos.relocate(there, { host: codehost.host.url, name: hostedName(codehost.host, repo) });
  throw exists(there);
}

/** Whether the registration at this address belongs to another repository, which has moved at the code host. */
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
  if ('codehostRepo' in source) return await reachHosted(context, userId, { ...request, name: source.codehostRepo });
  const { url, accessToken } = source;
  const facts = await context.remotes.inspect({ url, token: accessToken, userId }, request.signal);
  const encryptedToken =
    accessToken === null ? null : context.cipher.encrypt(repoTokenOwner({ id, userId }), accessToken);
  return { facts, name: facts.name, provider: 'git', codehostRepoId: null, accessToken: encryptedToken };
}

async function reachHosted(
  { codehost, codehostTokens, remotes }: CreateRepoContext,
  userId: UserId,
  { name, signal }: { name: string; signal: AbortSignal },
): Promise<Reached> {
  if (codehost === null || codehostTokens === null) throw new AppError('codehost_not_configured');
  try {
    const fullName = parseHostedName(name);
    const hosted = await codehostTokens.callAsUser(userId, signal, (call) => codehost.host.repo(call, fullName));
    if (hostedNameAt(codehost.host.url, hosted.url) === null) throw nestedGroup(hosted.url);
    const token = await codehostTokens.of(userId, signal);
    const facts = await remotes.inspect({ url: hosted.url, token, userId }, signal);
    return {
      facts: { ...facts, defaultBranch: hosted.defaultBranch },
      name: hosted.fullName, // in the host's spelling
      provider: 'codehost',
      codehostRepoId: hosted.id,
      accessToken: null,
    };
  } catch (error) {
    throw asUnreachable(error, name);
  }
}

const says: Partial<Record<ErrorCode, (fullName: string, error: AppError) => string>> = {
  codehost_not_found: (fullName) => `The code host has no repository ${fullName}, or your account cannot see it.`,
  codehost_forbidden: (_, error) => error.message,
  repo_nested_group: (_, error) => error.message,
  repo_unreachable: (_, error) => error.message,
  remote_refused: (_, error) => error.message,
};

/** Turns errors about the named repository into errors of that field. Passes on all others. */
function asUnreachable(error: unknown, fullName: string): unknown {
  if (!(error instanceof AppError)) return error;
  const detail = says[error.code]?.(fullName, error);
  if (detail === undefined) return error;
  const code = error.kind === 'invalid' ? error.code : 'repo_unreachable';
  return new AppError(code, { detail, errors: [{ path: 'codehost_repo', message: detail }] }, { cause: error });
}
