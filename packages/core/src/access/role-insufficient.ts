import { AppError } from '../error/app-error.ts';
import type { Role } from './role.ts';

/** The refusal of an act for which the caller's role in the repository is too low. */
export function roleInsufficient(role: Role, needed: Role): AppError {
  return new AppError('role_insufficient', {
    detail: `You are ${withArticle(role)} of this repository, and this needs the role ${needed}. Ask an admin of the repository.`,
    body: { role, needed_role: needed },
  });
}

function withArticle(role: Role): string {
  return /^[aeiou]/.test(role) ? `an ${role}` : `a ${role}`;
}
