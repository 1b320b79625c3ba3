import { includesRole, type Role } from '../access/role.ts';
import type { RepoId } from '../id/id.ts';

/** What the groups of an OpenID provider mean here, as the operator has set it. */
export interface OidcRules {
  /** Only members of one of them may sign in; null: everybody with an account there. */
  readonly allowedGroups: readonly string[] | null;
  readonly operatorGroups: readonly string[];
  readonly repoRoles: readonly { readonly group: string; readonly repoId: RepoId; readonly role: Role }[];
}

/** What a user's groups give them, for now. */
export interface GroupGrants {
  readonly isOperator: boolean;
  readonly roles: ReadonlyMap<RepoId, Role>;
  /** Repositories whose roles another provider gives: they stay as they are. */
  readonly others: ReadonlySet<RepoId>;
}

/** Whether a member of these groups may sign in. */
export function mayEnter({ allowedGroups }: OidcRules, groups: readonly string[]): boolean {
  return allowedGroups === null || allowedGroups.some((group) => groups.includes(group));
}

/**
 * The grants of a user's groups: in each repository the highest of their roles. @param others the rules of the other
 * providers
 */
export function grantsOf(rules: OidcRules, groups: readonly string[], others: readonly OidcRules[]): GroupGrants {
  const roles = new Map<RepoId, Role>();
  for (const { group, repoId, role } of rules.repoRoles) {
    const before = roles.get(repoId);
    if (groups.includes(group) && (before === undefined || includesRole(role, before))) roles.set(repoId, role);
  }
  const own = new Set(rules.repoRoles.map(({ repoId }) => repoId));
  const elsewhere = others.flatMap(({ repoRoles }) => repoRoles.map(({ repoId }) => repoId));
  return {
    isOperator: rules.operatorGroups.some((group) => groups.includes(group)),
    roles,
    others: new Set(elsewhere.filter((repoId) => !own.has(repoId))),
  };
}
