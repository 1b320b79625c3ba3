import { AppError } from '../error/app-error.ts';

/** @throws AppError `base_branch_missing`, naming the field that asked for the branch */
export function requireBranch(branches: readonly string[], wanted: { name: string; field: string }): void {
  if (branches.includes(wanted.name)) return;
  const detail = `The repository has no branch "${wanted.name}".`;
  throw new AppError('base_branch_missing', { detail, errors: [{ path: wanted.field, message: detail }] });
}
