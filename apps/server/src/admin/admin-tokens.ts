import {
  type ApiTokenId,
  type ApiTokenStore,
  type ApiTokenWire,
  auditEntry,
  isId,
  type PageRequest,
  type TokensOf,
  toApiTokenWire,
  type UserId,
} from '@sluice/core';

/** A token as the operator sees it. */
export interface TokenReport extends ApiTokenWire {
  /** The e-mail of its owner, else their login at the code host, else their id. */
  readonly user: string;
}

export interface RevokedToken {
  readonly id: string;
  readonly user: string;
  /** False if Redis is configured but was unavailable: open streams then end a little later. */
  readonly servers_told: boolean;
}

interface Context {
  readonly apiTokens: ApiTokenStore;
  signalEnded(ids: readonly string[]): Promise<boolean>;
}

/** A page of tokens for the operator. */
export async function listTokens({ apiTokens }: Context, of: TokensOf, page: PageRequest) {
  const { items, nextCursor } = await apiTokens.list(of, page);
  return {
    items: items.map(
      ({ token, owner }): TokenReport => ({
        ...toApiTokenWire(token),
        user: owner.email ?? owner.codehostLogin ?? owner.id,
      }),
    ),
    next_cursor: nextCursor,
  };
}

/** Revokes any user's token. @returns null when there is none that could be used */
export async function revokeToken({ apiTokens, signalEnded }: Context, id: string): Promise<RevokedToken | null> {
  const found = isId(id) ? await apiTokens.find({ id: id as ApiTokenId }) : null;
  if (found === null) return null;
  const { user } = found;
  const by = { userId: user.id, actor: { kind: 'operator' } } as const;
  const act = { action: 'token.revoked', subjectId: id, detail: { owner_id: user.id } } as const;
  if (!(await apiTokens.revoke(found.token.id, auditEntry(by, act)))) return null;
  const servers_told = await signalEnded([id]);
  return { id, user: user.email ?? user.codehostLogin ?? user.id, servers_told };
}

/** The ids of a user's tokens, whose streams end when the user is disabled. */
export async function tokensOfUser({ apiTokens }: Context, userId: UserId): Promise<readonly ApiTokenId[]> {
  // Beyond a page are only expired ones, whose streams have ended.
  const { items } = await apiTokens.list({ userId }, { limit: 100, cursor: null });
  return items.map(({ token }) => token.id);
}
