import type { Issue, Repo, Role } from '@sluice/client';

// The roles that the server enforces: a test compares this with its own table.

/** Each role may also do what those before it may. */
export const roles = ['viewer', 'contributor', 'approver', 'admin'] as const satisfies readonly Role[];

/** What a role is for, in a few words. */
export const roleWords: Readonly<Record<Role, string>> = {
  viewer: 'reads',
  contributor: 'creates issues, writes notes',
  approver: 'decides on plans',
  admin: 'changes settings and members',
};

export const issueRights = {
  note: { own: 'contributor', any: 'contributor' },
  manage: { own: 'contributor', any: 'approver' },
  decide: { own: 'approver', any: 'approver' },
  delete: { own: 'contributor', any: 'admin' },
} as const satisfies Record<string, Record<'own' | 'any', Role>>;

export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** Whether the user may do this to an issue. Until the repository is read: yes, and the server decides. */
export function mayOnIssue(
  act: keyof typeof issueRights,
  {
    issue,
    repo,
    me,
  }: { readonly issue: Pick<Issue, 'created_by'>; readonly repo: Repo | undefined; readonly me: string | undefined },
): boolean {
  if (repo === undefined) return true;
  return includesRole(repo.role, issueRights[act][issue.created_by === me ? 'own' : 'any']);
}
