import { revokeTokenOf } from '@sluice/core/administration';
import { type ApiTokenStore, type ApiTokenWire, type TokensOf, toApiTokenWire } from '@sluice/core/api-token';
import type { PageRequest } from '@sluice/core/request';

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
export async function revokeToken(context: Context, id: string): Promise<RevokedToken | null> {
  let servers_told = true;
  const tellEnded = async (ids: readonly string[]) => {
    servers_told = await context.signalEnded(ids);
  };
  const revoked = await revokeTokenOf(context, id, { by: 'on_the_machine', tellEnded });
  return revoked === null ? null : { id, ...revoked, servers_told };
}
