import { AppError } from '../error/app-error.ts';

const MAX_NAMED = 5;

/** @throws AppError `base_branch_missing`, naming the field that asked for the branch and the branches that are most like it */
export function requireBranch(branches: readonly string[], branch: { name: string; field: string }): void {
  if (branches.includes(branch.name)) return;
  const detail = `The repository has no branch "${branch.name}".${namesNear(branches, branch.name)}`;
  throw new AppError('base_branch_missing', { detail, errors: [{ path: branch.field, message: detail }] });
}

function namesNear(branches: readonly string[], name: string): string {
  if (branches.length === 0) return '';
  const near = branches.toSorted((a, b) => commonStart(b, name) - commonStart(a, name) || a.localeCompare(b));
  const rest = branches.length > MAX_NAMED ? ` and ${branches.length - MAX_NAMED} more` : '';
  const named = near.slice(0, MAX_NAMED).map((one) => `"${one}"`);
  return ` It has ${named.join(', ')}${rest}.`;
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
