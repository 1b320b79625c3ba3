import { type HostPermission, type HostRepository, hostPermissions } from './host-state.ts';
import type { HostUser } from './host-user.ts';
import type { HostToken } from './token-book.ts';

/** What an account may do with a repository. */
export function permissionOf(repo: HostRepository, user: HostUser | null): HostPermission {
  if (user !== null && repo.owner === user) return 'admin';
  const given = user === null ? undefined : repo.permissions.get(user);
  return given ?? (repo.private ? 'none' : 'read');
}

export function atLeast(permission: HostPermission, needed: HostPermission): boolean {
  return hostPermissions.indexOf(permission) >= hostPermissions.indexOf(needed);
}

/** A token's permission: that of its owner, within the granted scopes. */
export function permissionOfToken(repo: HostRepository, token: HostToken | null): HostPermission {
  const own = permissionOf(repo, token?.user ?? null);
  if (token === null || token.scopes === null || token.scopes.includes('repo')) return own;
  if (repo.private) return 'none';
  return token.scopes.includes('public_repo') ? own : 'read';
}

/** How the host calls somebody's relation to a repository. A collaborator may be one who can only read. */
export function associationOf(repo: HostRepository, user: HostUser): string {
  if (repo.owner === user) return 'OWNER';
  return repo.permissions.has(user) ? 'COLLABORATOR' : 'NONE';
}
