import { AppError } from '../error/app-error.ts';
import type { Role } from './role.ts';

/** What an API token may be used for. Each may also do what those before it may. */
export const tokenScopes = ['read', 'write', 'approve', 'admin'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The role that a token leaves to its owner at most, in every repository. */
export const scopeRoles = {
  read: 'viewer',
  write: 'contributor',
  approve: 'approver',
  admin: 'admin',
} as const satisfies Record<TokenScope, Role>;

/** The least scope with that role. */
export function scopeOf(role: Role): TokenScope {
  const scope = tokenScopes.find((one) => scopeRoles[one] === role);
  if (scope === undefined) throw new Error(`No scope has the role ${role}.`);
  return scope;
}

/** Whether a token with this scope may do what needs `needed`. */
export function includesScope(scope: TokenScope, needed: TokenScope): boolean {
  return tokenScopes.indexOf(scope) >= tokenScopes.indexOf(needed);
}

/** The refusal of an act that is beyond the scope of the caller's token, whatever the role of its owner. */
export function scopeInsufficient(scope: TokenScope, needed: TokenScope): AppError {
  return new AppError('token_scope_insufficient', {
    detail: `The API token has the scope ${scope}, and this needs ${needed}. Create a token with that scope.`,
    body: { scope, needed_scope: needed },
  });
}
