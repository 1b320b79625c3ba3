/** What the fill prints, see `fill-folder.ts` of packages/db. */
export interface FilledIds {
  /** An operator, and an admin of two hundred repositories. */
  readonly userId: string;
  /** A repository of theirs, with half of all issues. */
  readonly repoId: string;
  /** An issue of it that has ended, with events, a plan, a diff and a log. */
  readonly endedId: string;
  /** A member of two repositories. */
  readonly usualId: string;
  /** An issue at a gate. */
  readonly gateId: string;
  /** The target of the user's notifications: it got every second one. */
  readonly targetId: string;
}

/** How a GET of the document is asked. */
interface Asked {
  /** Its paths with their queries: the first one stands for the operation. */
  readonly paths: readonly string[];
  /** The status of an answer; left out: 200. */
  readonly status?: number;
}

/**
 * The requests whose time is compared with the size of the answer: an answer is long by its nature, is read for as long
 * as it lasts, or asks the code host.
 */
export const bySize = [
  '/api/events',
  '/api/issues/{id}/events',
  '/api/openapi.json',
  '/api/issues/{id}/diff',
  '/api/issues/{id}/log',
  '/api/codehost/repos',
  '/api/repos/{id}/issues',
  '/api/issues/{id}/base',
];

/** Every GET of the document on the filled installation. One that is not here fails the bench. */
export function rowsOf({ repoId, endedId, usualId, gateId, targetId }: FilledIds): Readonly<Record<string, Asked>> {
  const issue = `/api/issues/${endedId}`;
  const repo = `/api/repos/${repoId}`;
  const one = (path: string, status?: number): Asked => ({ paths: [path], ...(status !== undefined && { status }) });
  const list = (query: string) => `/api/issues?limit=20&${query}`;
  return {
    '/api/admin/audit': { paths: ['/api/admin/audit', `/api/admin/audit?user_id=${usualId}`] },
    '/api/admin/budgets': one('/api/admin/budgets'),
    '/api/admin/invitations': one('/api/admin/invitations'),
    '/api/admin/overview': one('/api/admin/overview'),
    '/api/admin/repos': one('/api/admin/repos'),
    '/api/admin/users': { paths: ['/api/admin/users', '/api/admin/users?q=ada-12'] },
    '/api/admin/users/{user_id}': one(`/api/admin/users/${usualId}`),
    '/api/admin/users/{user_id}/sessions': one(`/api/admin/users/${usualId}/sessions`),
    '/api/admin/users/{user_id}/tokens': one(`/api/admin/users/${usualId}/tokens`),
    '/api/audit': { paths: ['/api/audit', `/api/audit?repo_id=${repoId}`] },
    '/api/auth/codehost/callback': one('/api/auth/codehost/callback?code=c&state=s', 409),
    '/api/auth/codehost/cli': one(
      `/api/auth/codehost/cli?port=50000&challenge=${'c'.repeat(43)}&state=${'s'.repeat(43)}`,
      409,
    ),
    '/api/auth/failed-logins': one('/api/auth/failed-logins'),
    '/api/auth/me': one('/api/auth/me'),
    '/api/auth/me/deletion': one('/api/auth/me/deletion'),
    '/api/auth/oidc': one('/api/auth/oidc'),
    '/api/auth/oidc/{provider}/callback': one('/api/auth/oidc/none/callback?code=c&state=s', 404),
    '/api/auth/oidc/{provider}/cli': one(
      `/api/auth/oidc/none/cli?port=50000&challenge=${'c'.repeat(43)}&state=${'s'.repeat(43)}`,
      404,
    ),
    '/api/auth/preferences': one('/api/auth/preferences'),
    '/api/auth/second-factors': one('/api/auth/second-factors'),
    '/api/auth/sessions': one('/api/auth/sessions'),
    '/api/budgets': one('/api/budgets'),
    '/api/codehost/repos': one('/api/codehost/repos', 409),
    '/api/events': one('/api/events'),
    '/api/health/live': one('/api/health/live'),
    '/api/health/ready': one('/api/health/ready'),
    '/api/inbox': { paths: ['/api/inbox', '/api/inbox?q=nosuchword', `/api/inbox?repo_id=${repoId}`] },
    '/api/issues': {
      paths: [
        list(''),
        ...['pending', 'running', 'awaiting_approval', 'completed', 'rejected'].map((status) =>
          list(`status=${status}`),
        ),
        list('status=failed&status=rejected&status=cancelled'),
        list(`repo_id=${repoId}&status=failed`),
        list('sort=created'),
        list('scope=mine'),
        list('q=nosuchword'),
        list('label=nosuchlabel'),
        list('created_before=2020-01-01T00:00:00Z'),
        list('total=true'),
        '/api/issues?limit=100',
        '/api/issues?limit=100&fields=summary',
      ],
    },
    '/api/issues/{id}': { paths: [issue, `/api/issues/${gateId}`] },
    '/api/issues/{id}/base': one(`${issue}/base`, 409),
    '/api/issues/{id}/diff': one(`${issue}/diff`),
    '/api/issues/{id}/events': one(`${issue}/events`),
    '/api/issues/{id}/history': one(`${issue}/history`),
    '/api/issues/{id}/log': one(`${issue}/log`),
    '/api/issues/{id}/outcome': one(`${issue}/outcome`),
    '/api/issues/{id}/plans': one(`${issue}/plans`),
    '/api/issues/{id}/steps': one(`${issue}/steps`),
    '/api/notifications/targets': one('/api/notifications/targets'),
    '/api/notifications/targets/{id}': one(`/api/notifications/targets/${targetId}`),
    '/api/notifications/targets/{id}/deliveries': {
      paths: ['', '?status=given_up'].map((query) => `/api/notifications/targets/${targetId}/deliveries${query}`),
    },
    '/api/notifications/unsubscribe': one('/api/notifications/unsubscribe?token=t', 400),
    '/api/openapi.json': one('/api/openapi.json'),
    '/api/outcomes': { paths: ['/api/outcomes', `/api/outcomes?repo_id=${repoId}`] },
    '/api/repos': { paths: ['/api/repos', '/api/repos?limit=100'] },
    '/api/repos/{id}': one(repo),
    '/api/repos/{id}/budget': one(`${repo}/budget`),
    '/api/repos/{id}/invitations': one(`${repo}/invitations`),
    '/api/repos/{id}/issues': one(`${repo}/issues`, 409),
    '/api/repos/{id}/members': one(`${repo}/members`),
    '/api/repos/{id}/search': one(`${repo}/search?q=sum`),
    '/api/repos/{id}/tokens': one(`${repo}/tokens`),
    '/api/server': one('/api/server'),
    '/api/tokens': one('/api/tokens'),
  };
}
