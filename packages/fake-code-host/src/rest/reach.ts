import { errorAnswer, HostRefusal, refuse } from '../http/answer.ts';
import type { HostCall } from '../http/host-call.ts';
import {
  findMoved,
  findRepo,
  type HostPermission,
  type HostRepository,
  type HostSubject,
} from '../state/host-state.ts';
import type { HostUser } from '../state/host-user.ts';
import { atLeast, permissionOfToken } from '../state/permission.ts';
import { isPull, type PullSubject } from '../wire/wire-pull.ts';

/** The user that the token belongs to; 401 without one. */
export function callerOf(call: HostCall): HostUser {
  return call.token?.user ?? refuse(401, 'Requires authentication');
}

/** The repository of the path: 404 where it is hidden from the token, 403 where the token may not do this. */
export function reachRepo(call: HostCall, needed: HostPermission = 'read'): HostRepository {
  const repo = findRepo(call.host, `${call.params.owner}/${call.params.repo}`);
  if (repo === null) return moved(call);
  const permission = permissionOfToken(repo, call.token);
  if (!atLeast(permission, 'read')) refuse(404, 'Not Found');
  if (needed !== 'read') callerOf(call);
  if (!atLeast(permission, needed)) refuse(403, 'Resource not accessible by integration');
  return repo;
}

/** Leads from a name that a repository had before to its lasting address. */
function moved(call: HostCall): never {
  const fullName = `${call.params.owner}/${call.params.repo}`;
  const repo = findMoved(call.host, fullName);
  if (repo === null || !atLeast(permissionOfToken(repo, call.token), 'read')) return refuse(404, 'Not Found');
  const [, rest = ''] = call.path.split(`/repos/${fullName}`);
  const url = `${call.host.apiUrl}/repositories/${repo.id}${rest}${call.query.size === 0 ? '' : `?${call.query}`}`;
  // A write must be repeated with the same method.
  const answer = errorAnswer(call.method === 'GET' ? 301 : 307, 'Moved Permanently', { url });
  throw new HostRefusal({ ...answer, headers: { ...answer.headers, location: url } });
}

/** The issue or pull request of the path. */
export function reachSubject(call: HostCall, repo: HostRepository): HostSubject {
  const subject = repo.subjects.find(({ number }) => String(number) === call.params.number);
  if (subject === undefined) return refuse(404, 'Not Found');
  if (subject.deleted) refuse(410, 'This issue was deleted');
  return subject;
}

export function reachPull(call: HostCall, repo: HostRepository): PullSubject {
  const subject = reachSubject(call, repo);
  return isPull(subject) ? subject : refuse(404, 'Not Found');
}
