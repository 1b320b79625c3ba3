/** What a member may do in a repository. Each role may also do what those before it may. */
export const roles = ['viewer', 'contributor', 'approver', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Whether a role may do what needs `needed`. */
export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** The lesser of two roles. */
export function lesserRole(one: Role, other: Role): Role {
  return includesRole(one, other) ? other : one;
}

/** The role that each act on a repository needs. */
export const repoActs = {
  /** Its settings, its code and its members. */
  read: 'viewer',
  /** Create and import issues, for which those of the code host are listed. */
  contribute: 'contributor',
  /** Change its settings and its members, and remove it. */
  configure: 'admin',
} as const satisfies Record<string, Role>;
export type RepoAct = keyof typeof repoActs;

/** The role that each act on an issue needs: on one that the user created, and on any. */
export const issueActs = {
  read: { own: 'viewer', any: 'viewer' },
  /** Send notes to the agent. */
  note: { own: 'contributor', any: 'contributor' },
  /** Edit, run, retry and cancel it, and say why its pull request was closed. */
  manage: { own: 'contributor', any: 'approver' },
  /** Decide at its gates. */
  decide: { own: 'approver', any: 'approver' },
  /** Delete it with its history. */
  delete: { own: 'contributor', any: 'admin' },
} as const satisfies Record<string, { own: Role; any: Role }>;
export type IssueAct = keyof typeof issueActs;
