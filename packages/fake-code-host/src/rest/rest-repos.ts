import { jsonAnswer, refuse } from '../http/answer.ts';
import type { HostCall, HostRoute } from '../http/host-call.ts';
import { pageAnswer } from '../http/paging.ts';
import { findUser, type HostRepository, nameOf } from '../state/host-state.ts';
import { atLeast, permissionOf, permissionOfToken } from '../state/permission.ts';
import { labelWire } from '../wire/wire-issue.ts';
import { permissionsWire, repoWire } from '../wire/wire-repo.ts';
import { ownUserWire, publicUserWire, userWire } from '../wire/wire-user.ts';
import { callerOf, reachRepo } from './reach.ts';

export const repoRoutes: readonly HostRoute[] = [
  { route: 'GET /user', handle: (call) => jsonAnswer(200, ownUserWire(call.host, callerOf(call)), scopesOf(call)) },
  { route: 'GET /user/repos', handle: listOwnRepos },
  { route: 'GET /repos/:owner/:repo', handle: (call) => repoAnswer(call, reachRepo(call)) },
  { route: 'GET /repos/:owner/:repo/labels', handle: listLabels },
  { route: 'GET /users/:user', handle: getUser },
  { route: 'GET /repos/:owner/:repo/collaborators', handle: listCollaborators },
  { route: 'GET /repos/:owner/:repo/collaborators/:user/permission', handle: getPermission },
];

function scopesOf(call: HostCall): Record<string, string> {
  const scopes = call.token?.scopes ?? null;
  return scopes === null ? {} : { 'x-oauth-scopes': scopes.join(', ') };
}

function repoAnswer(call: HostCall, repo: HostRepository) {
  return jsonAnswer(200, repoWire(call.host, repo, permissionOfToken(repo, call.token)));
}

/** Lists the repositories that the account owns or was invited to, without those that are merely public. */
function listOwnRepos(call: HostCall) {
  const user = callerOf(call);
  const mine = call.host.repos.filter(
    (repo) =>
      (repo.owner === user || repo.permissions.has(user)) && atLeast(permissionOfToken(repo, call.token), 'read'),
  );
  const sort = call.query.get('sort') ?? 'full_name';
  const direction = call.query.get('direction') ?? (sort === 'full_name' ? 'asc' : 'desc');
  const keyOf = (repo: HostRepository) => {
    if (sort === 'full_name') return nameOf(repo).toLowerCase();
    return (sort === 'created' ? repo.createdAt : repo.pushedAt).toISOString();
  };
  const sorted = mine.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1) * (direction === 'asc' ? 1 : -1));
  return pageAnswer(call, sorted, (repo) => repoWire(call.host, repo, permissionOfToken(repo, call.token)));
}

function listLabels(call: HostCall) {
  const repo = reachRepo(call);
  return pageAnswer(call, repo.labels, (label) => labelWire(call.host, repo, label));
}

function getUser(call: HostCall) {
  const user = findUser(call.host, call.params.user ?? '') ?? refuse(404, 'Not Found');
  return jsonAnswer(200, publicUserWire(call.host, user));
}

/** Whom the repository belongs to and who was invited. */
function listCollaborators(call: HostCall) {
  const repo = reachRepo(call);
  if (!atLeast(permissionOfToken(repo, call.token), 'write')) {
    refuse(403, 'Must have push access to view repository collaborators.');
  }
  return pageAnswer(call, [repo.owner, ...repo.permissions.keys()], (user) => {
    const role = permissionOf(repo, user);
    return { ...userWire(call.host, user), permissions: permissionsWire(role), role_name: role };
  });
}

function getPermission(call: HostCall) {
  const repo = reachRepo(call);
  if (!atLeast(permissionOfToken(repo, call.token), 'write')) {
    refuse(403, 'Must have push access to view collaborator permission.');
  }
  const user = findUser(call.host, call.params.user ?? '') ?? refuse(404, `${call.params.user} is not a user`);
  const role = permissionOf(repo, user);
  // Roles between the four are reported as the lower one that has a name here.
  const permission = role === 'maintain' ? 'write' : role === 'triage' ? 'read' : role;
  const more = { permissions: permissionsWire(role), role_name: role };
  return jsonAnswer(200, { permission, role_name: role, user: { ...userWire(call.host, user), ...more } });
}
