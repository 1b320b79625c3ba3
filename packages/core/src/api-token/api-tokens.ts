import type { Authorized } from '../access/authorized.ts';
import { neededOnRepo } from '../access/role-needed.ts';
import type { TokenScope } from '../access/token-scope.ts';
import type { Clock } from '../async/clock.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import { type ApiTokenId, type Ids, isId } from '../id/id.ts';
import type { Signals } from '../issue/signals.ts';
import type { Repo } from '../repo/repo.ts';
import { type ApiToken, MAX_TOKEN_LIFE_DAYS } from './api-token.ts';
import type { ApiTokenStore } from './api-token-store.ts';
import { hashApiToken, hintOf, renderApiToken } from './api-token-text.ts';

const DAY_MS = 86_400_000;

interface CreateContext {
  readonly apiTokens: Pick<ApiTokenStore, 'create'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

export interface ApiTokenDraft {
  readonly name: string;
  readonly scope: TokenScope;
  /** The only repository that it reaches. */
  readonly repo: Authorized<Repo> | null;
  readonly expiresInDays: number;
  /** 32 random bytes. */
  readonly secret: Uint8Array;
}

/**
 * Creates an API token of the initiator.
 *
 * @returns also its text, which is stored nowhere
 * @throws AppError `api_tokens_full`, `account_disabled`; `not_owner` when they have lost the repository meanwhile
 */
export async function createApiToken(
  { apiTokens, ids, clock }: CreateContext,
  { draft, by }: { readonly draft: ApiTokenDraft; readonly by: Initiator },
): Promise<{ readonly token: ApiToken; readonly text: string }> {
  const { name, scope, repo, expiresInDays, secret } = draft;
  if (expiresInDays > MAX_TOKEN_LIFE_DAYS) throw new Error('No API token lives so long.');
  const text = renderApiToken(secret);
  const id = ids.next() as ApiTokenId;
  const repoId = repo?.id ?? null;
  const expiresAt = new Date(clock.now().getTime() + expiresInDays * DAY_MS);
  const detail = { scope, repo_id: repoId, expires_at: expiresAt.toISOString() };
  const outcome = await apiTokens.create(
    { id, userId: by.userId, repoId, name, scope, hint: hintOf(text), hash: hashApiToken(text), expiresAt },
    auditEntry(
      by,
      { action: 'token.created', subjectId: id, detail },
      repo === null ? undefined : neededOnRepo('read', repo),
    ),
  );
  if (outcome.kind === 'full') throw new AppError('api_tokens_full');
  if (outcome.kind === 'disabled') throw new AppError('account_disabled');
  return { token: outcome.token, text };
}

interface RevokeContext {
  readonly apiTokens: Pick<ApiTokenStore, 'find' | 'revoke'>;
  readonly signals: Pick<Signals, 'sessionEnded'>;
}

interface RevokeRequest {
  readonly id: string;
  readonly by: Initiator;
  /** The repository whose admin revokes it; left out: its owner does. */
  readonly repo?: Authorized<Repo, 'configure'>;
}

/**
 * Ends an API token: its next request is refused, and its streams close.
 *
 * @throws AppError `api_token_not_found`, also for one that is not limited to `repo`; `not_owner` for one of another user
 */
export async function revokeApiToken({ apiTokens, signals }: RevokeContext, request: RevokeRequest): Promise<void> {
  const { by, repo } = request;
  const id = request.id as ApiTokenId;
  const found = isId(id) ? await apiTokens.find({ id }) : null;
  if (found === null || found.token.revokedAt !== null) throw new AppError('api_token_not_found');
  const { token } = found;
  if (repo !== undefined && token.repoId !== repo.id) throw new AppError('api_token_not_found');
  if (repo === undefined && token.userId !== by.userId) {
    throw new AppError('not_owner', { detail: 'This API token belongs to another user.' });
  }
  const audit = auditEntry(
    by,
    { action: 'token.revoked', subjectId: id, detail: { owner_id: token.userId } },
    repo === undefined ? undefined : neededOnRepo('configure', repo),
  );
  if (!(await apiTokens.revoke(id, audit))) throw new AppError('api_token_not_found');
  signals.sessionEnded(id);
}
