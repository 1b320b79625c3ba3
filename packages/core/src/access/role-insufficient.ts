import { AppError } from '../error/app-error.ts';
import type { Caller } from './caller.ts';
import { includesRole, type Role } from './role.ts';
import { scopeInsufficient, scopeOf } from './token-scope.ts';

/** The refusal of an act for which the caller's role in the repository, or the scope of their token, is too low. */
export function roleInsufficient(role: Role, needed: Role, limits: Caller['limits'] = null): AppError {
  if (limits !== null && !includesRole(limits.role, needed)) {
    return scopeInsufficient(scopeOf(limits.role), scopeOf(needed));
  }
  return new AppError('role_insufficient', {
    detail: `You are ${withArticle(role)} of this repository, and this needs the role ${needed}. Ask an admin of the repository.`,
    body: { role, needed_role: needed },
  });
}

function withArticle(role: Role): string {
  return /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`;
}
