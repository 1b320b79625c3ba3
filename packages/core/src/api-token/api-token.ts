import * as z from 'zod';
import type { CallerLimits } from '../access/caller.ts';
import { scopeRoles, type TokenScope, tokenScopes } from '../access/token-scope.ts';
import type { User } from '../account/user.ts';
import type { ApiTokenId, RepoId, UserId } from '../id/id.ts';

/** Tokens of one user that can be used: enough for a script on each of their machines, and a bound for the list. */
export const MAX_API_TOKENS = 50;
/** A token that is forgotten ends by itself. */
export const MAX_TOKEN_LIFE_DAYS = 365;

/** A user's permission for a program, without its secret: the store has only a hash of that. */
export interface ApiToken {
  readonly id: ApiTokenId;
  readonly userId: UserId;
  /** The only repository that it reaches; null: all of its owner's. */
  readonly repoId: RepoId | null;
  readonly name: string;
  readonly scope: TokenScope;
  /** The last characters of its text, by which its owner recognizes it. */
  readonly hint: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** To the minute; null: never. */
  readonly lastUsedAt: Date | null;
  /** The program that used it last, such as "curl". */
  readonly lastClient: string | null;
  readonly revokedAt: Date | null;
}

/** What a token leaves of its owner's roles. */
export function limitsOf({ scope, repoId }: Pick<ApiToken, 'scope' | 'repoId'>): CallerLimits {
  return { role: scopeRoles[scope], repoId };
}

/** Whether it may still be used, as far as it alone decides that. */
export function isTokenLive({ revokedAt, expiresAt }: Pick<ApiToken, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return revokedAt === null && expiresAt > now;
}

export const apiTokenWire = z.object({
  id: z.uuid(),
  name: z.string(),
  scope: z
    .enum(tokenScopes)
    .describe(
      '`read` reads; `write` also creates issues, manages those of its owner and sends notes; `approve` also decides at gates and manages the issues of others; `admin` also changes settings and members. Never more than the role of its owner.',
    ),
  repo_id: z.uuid().nullable().describe('The only repository that it reaches; null: all of its owner’s.'),
  hint: z.string().describe('The last characters of the token.'),
  user_id: z.uuid().describe('Its owner.'),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable().describe('To the minute; null: never.'),
  last_client: z.string().nullable().describe('The program that used it last. No address and no version is stored.'),
});
export type ApiTokenWire = z.infer<typeof apiTokenWire>;

export function toApiTokenWire(token: ApiToken): ApiTokenWire {
  return {
    id: token.id,
    name: token.name,
    scope: token.scope,
    repo_id: token.repoId,
    hint: token.hint,
    user_id: token.userId,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    last_client: token.lastClient,
  };
}

/** A token in a list. */
export interface ListedToken {
  readonly token: ApiToken;
  readonly owner: Pick<User, 'id' | 'name' | 'email' | 'codehostLogin'>;
}

/** A token, for others than its owner. */
export const ownedTokenWire = apiTokenWire.extend({
  user_name: z.string().nullable().describe('The name of its owner.'),
  user_codehost_login: z.string().nullable().describe('The login of its owner at the code host.'),
});
export type OwnedTokenWire = z.infer<typeof ownedTokenWire>;

export function toOwnedTokenWire({ token, owner }: ListedToken): OwnedTokenWire {
  return { ...toApiTokenWire(token), user_name: owner.name, user_codehost_login: owner.codehostLogin };
}
