import type { User } from '../account/user.ts';
import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { ApiTokenId, RepoId, UserId } from '../id/id.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type { ApiToken, ListedToken } from './api-token.ts';

export interface NewApiToken
  extends Pick<ApiToken, 'id' | 'userId' | 'repoId' | 'name' | 'scope' | 'hint' | 'expiresAt'> {
  /** `hashApiToken` of its text. */
  readonly hash: string;
}

type CreateTokenOutcome =
  | { readonly kind: 'created'; readonly token: ApiToken }
  /** The user has `MAX_API_TOKENS` that can be used. */
  | { readonly kind: 'full' }
  /** The user is disabled or does not exist. */
  | { readonly kind: 'disabled' };

/** A token with its owner, whatever has become of both. */
interface FoundToken {
  readonly token: ApiToken;
  readonly user: User;
  readonly isDisabled: boolean;
}

/** The tokens to list: of a user, limited to a repository, or all. */
export type TokensOf = { readonly userId: UserId } | { readonly repoId: RepoId } | 'all';

/** API tokens. They are kept for a while after their end, so that it can be said why one no longer works. */
export interface ApiTokenStore {
  create(token: NewApiToken, audit?: NewAuditEntry): Promise<CreateTokenOutcome>;
  /** The token with that hash or id, even if it has ended; null when there is none. */
  find(by: { readonly hash: string } | { readonly id: ApiTokenId }): Promise<FoundToken | null>;
  /** Records the use of a token that was not used since. Of many concurrent requests one writes. */
  touch(id: ApiTokenId, use: { readonly unusedSince: Date; readonly client: string | null }): Promise<void>;
  /** Lists the tokens that were not revoked, newest first, expired ones too. */
  list(of: TokensOf, page: PageRequest): Promise<Page<ListedToken>>;
  /** Ends a token; false when it was revoked already or does not exist. */
  revoke(id: ApiTokenId, audit?: NewAuditEntry): Promise<boolean>;
}
