import { includesRole, type Role, roles } from '@sluice/core/access';
import type { IssueId, RepoId } from '@sluice/core/id';
import { aPlan, newId } from '@sluice/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openApiDocument } from '../src/openapi/openapi-document.ts';
import { type Operation, operationsOf } from './fuzz/operations.ts';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
/** A member with each role. */
let members: Record<Role, Login>;
let repo: string;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());
beforeEach(async () => {
  ada = await api.login();
  repo = (await api.repo(ada)).id;
  const made = await Promise.all(roles.map(async (role) => [role, await memberWith(role)] as const));
  members = Object.fromEntries(made) as Record<Role, Login>;
});

async function memberWith(role: Role): Promise<Login> {
  const login = await api.login();
  await give(login, role);
  return login;
}

function give({ user }: Login, role: Role) {
  return api.stores.members.put({ repoId: repo as RepoId, userId: user.id, role, origin: 'added' });
}

const path = (of = '') => `/api/repos/${repo}/members${of}`;

describe('the members of a repository', () => {
  it('are listed with who registered it first, to every member', async () => {
    const { body } = await api.call('GET', path(), { as: members.viewer });
    expect((body.items as { user_id: string; role: Role; origin: string }[])[0]).toMatchObject({
      user_id: ada.user.id,
      role: 'admin',
      origin: 'registered',
    });
    expect((body.items as { role: Role }[]).map(({ role }) => role).sort()).toEqual(['admin', ...roles].sort());
  });

  it('are added by e-mail, and get another role when they are added again', async () => {
    const grace = await api.login({ email: 'grace@example.com' });
    const added = await api.call('POST', path(), { as: ada, json: { user: 'Grace@example.com', role: 'viewer' } });
    expect([added.status, added.body]).toMatchObject([
      200,
      { user_id: grace.user.id, role: 'viewer', origin: 'added' },
    ]);
    const again = await api.call('POST', path(), { as: ada, json: { user: 'grace@example.com', role: 'approver' } });
    expect(again.body).toMatchObject({ user_id: grace.user.id, role: 'approver' });
    const repos = await api.call('GET', '/api/repos', { as: grace });
    expect(repos.body.items).toMatchObject([{ id: repo, role: 'approver' }]);
  });

  it('are shown by e-mail to admins alone, and to themselves', async () => {
    const emails = async (as: Login) => {
      const { body } = await api.call('GET', path(), { as });
      return (body.items as { email: string | null }[]).map(({ email }) => email).filter((email) => email !== null);
    };
    expect(await emails(ada)).toHaveLength(1 + roles.length);
    expect(await emails(members.approver)).toEqual([members.approver.user.email]);
  });

  it('need an account first', async () => {
    const json = { user: 'nobody@example.com', role: 'viewer' };
    const { status, body } = await api.call('POST', path(), { as: ada, json });
    expect([status, body]).toMatchObject([404, { code: 'user_not_found', detail: expect.stringContaining('nobody') }]);
  });

  it('leave by themselves, and are removed by admins alone', async () => {
    const remove = (login: Login, as: Login) => api.call('DELETE', path(`/${login.user.id}`), { as });
    expect((await remove(members.viewer, members.approver)).body).toMatchObject({
      code: 'role_insufficient',
      role: 'approver',
      needed_role: 'admin',
    });
    expect((await remove(members.viewer, members.viewer)).status).toBe(204);
    expect((await api.call('GET', path(), { as: members.viewer })).body.code).toBe('not_owner');
    expect((await remove(members.approver, members.admin)).status).toBe(204);
    expect((await remove(members.approver, members.admin)).body.code).toBe('member_not_found');
  });

  it('are added by e-mail or login alone: the id of a user tells an admin nothing about them', async () => {
    const stranger = await api.login();
    const change = () => api.call('PATCH', path(`/${stranger.user.id}`), { as: ada, json: { role: 'viewer' } });
    expect(await change()).toMatchObject({ status: 404, body: { code: 'member_not_found' } });
    expect((await api.call('GET', '/api/repos', { as: stranger })).body.items).toEqual([]);
    await give(stranger, 'viewer');
    expect(await change()).toMatchObject({ status: 200, body: { user_id: stranger.user.id, role: 'viewer' } });
  });

  it('do not include who registered it: their role stays', async () => {
    const theirs = path(`/${ada.user.id}`);
    const change = await api.call('PATCH', theirs, { as: members.admin, json: { role: 'viewer' } });
    const removal = await api.call('DELETE', theirs, { as: ada });
    expect([change.body.code, removal.body.code]).toEqual(['member_is_registrant', 'member_is_registrant']);
  });

  it('have a role only while the repository exists', async () => {
    expect((await api.call('DELETE', `/api/repos/${repo}`, { as: members.admin })).status).toBe(204);
    expect((await api.call('GET', path(), { as: members.viewer })).status).toBe(404);
    expect((await api.call('GET', '/api/repos', { as: members.viewer })).body.items).toEqual([]);
  });
});

describe('an issue of a member', () => {
  it('is theirs, is read by all members, and counts for the repository', async () => {
    const made = await api.issue(members.contributor, { repo_id: repo });
    expect(made).toMatchObject({ created_by: members.contributor.user.id });
    for (const as of [ada, ...Object.values(members)]) {
      expect((await api.call('GET', `/api/issues/${made.id}`, { as })).status).toBe(200);
      expect((await api.call('GET', '/api/issues', { as })).body.items).toMatchObject([{ id: made.id }]);
    }
    const mine = await api.call('GET', '/api/issues?scope=mine&total=true', { as: members.contributor });
    const none = await api.call('GET', '/api/issues?scope=mine&total=true', { as: members.admin });
    expect([mine.body.total, none.body.total, none.body.items]).toEqual([1, 0, []]);
    const busy = await api.call('POST', '/api/issues', { as: ada, json: { repo_id: repo, title: 'A', body: '' } });
    expect(busy.body).toMatchObject({ code: 'repo_busy', active_issue_id: made.id });
  });

  it('needs those who may decide, and waits for others for those who may not', async () => {
    const made = await api.issue(members.contributor, { repo_id: repo });
    await api.toGate(made.id, aPlan());
    const lists = async (as: Login) => {
      const { body } = await api.call('GET', '/api/inbox', { as });
      const ids = (name: string) => (body[name] as { items: { id: string }[] }).items.map(({ id }) => id);
      return [ids('needs_you'), ids('waits_for_others')];
    };
    for (const role of roles) {
      const decides = includesRole(role, 'approver');
      expect(await lists(members[role]), role).toEqual(decides ? [[made.id], []] : [[], [made.id]]);
    }
    const other = await api.issue(members.contributor, { repo_id: (await api.repo(members.contributor)).id });
    await api.fail(other.id);
    expect(await lists(members.contributor)).toEqual([[other.id], [made.id]]);
    expect(await lists(ada)).toEqual([[made.id], []]);
  });

  it('is no longer theirs to see once they have left', async () => {
    const made = await api.issue(members.contributor, { repo_id: repo });
    await api.call('DELETE', path(`/${members.contributor.user.id}`), { as: ada });
    const seen = await api.call('GET', `/api/issues/${made.id}`, { as: members.contributor });
    expect([seen.status, seen.body.code]).toEqual([403, 'not_owner']);
    for (const list of ['/api/issues', '/api/issues?scope=mine', `/api/issues?repo_id=${repo}`]) {
      expect((await api.call('GET', list, { as: members.contributor })).body.items, list).toEqual([]);
    }
    expect((await api.call('GET', `/api/issues/${made.id}`, { as: ada })).status).toBe(200);
  });

  it('takes no decision of an approver who lost the role while the request was under way', async () => {
    const made = await api.issue(members.contributor, { repo_id: repo });
    await api.toGate(made.id, aPlan());
    const { apply } = api.deps.issues;
    api.deps.issues.apply = async (change) => {
      api.deps.issues.apply = apply;
      await give(members.approver, 'contributor');
      return await apply(change);
    };
    const json = { action: 'approve', revision: 1 };
    const { status, body } = await api.call('POST', `/api/issues/${made.id}/approve`, { as: members.approver, json });
    expect([status, body.code]).toEqual([403, 'role_insufficient']);
    expect((await api.stores.issues.get(made.id as IssueId))?.status).toBe('awaiting_approval');
  });
});

/** The least role that each operation on a repository or an issue of another member needs; `own`: on one's own issue. */
const needed: Record<string, Role | { own: Role; any: Role }> = {
  'GET /api/repos/{id}': 'viewer',
  'PATCH /api/repos/{id}': 'admin',
  'DELETE /api/repos/{id}': 'admin',
  'GET /api/repos/{id}/search': 'viewer',
  'GET /api/repos/{id}/issues': 'contributor',
  'GET /api/repos/{id}/members': 'viewer',
  'GET /api/repos/{id}/budget': 'admin',
  'PATCH /api/repos/{id}/budget': 'admin',
  'POST /api/repos/{id}/members': 'admin',
  'PATCH /api/repos/{id}/members/{user_id}': 'admin',
  'DELETE /api/repos/{id}/members/{user_id}': 'admin',
  'GET /api/repos/{id}/invitations': 'admin',
  'POST /api/repos/{id}/invitations': 'admin',
  'DELETE /api/repos/{id}/invitations/{invitation_id}': 'admin',
  'GET /api/repos/{id}/tokens': 'admin',
  'DELETE /api/repos/{id}/tokens/{token_id}': 'admin',
  'POST /api/tokens': 'viewer',
  'POST /api/issues': 'contributor',
  'POST /api/issues/import': 'contributor',
  'GET /api/issues/{id}': 'viewer',
  'PATCH /api/issues/{id}': { own: 'contributor', any: 'approver' },
  'POST /api/issues/{id}/run': { own: 'contributor', any: 'approver' },
  'POST /api/issues/{id}/retry': { own: 'contributor', any: 'approver' },
  'POST /api/issues/{id}/approve': 'approver',
  'POST /api/issues/{id}/messages': 'contributor',
  'DELETE /api/issues/{id}': { own: 'contributor', any: 'approver' },
  'DELETE /api/issues/{id}/permanent': { own: 'contributor', any: 'admin' },
  'GET /api/issues/{id}/attachments': 'viewer',
  'GET /api/issues/{id}/events': 'viewer',
  'GET /api/issues/{id}/history': 'viewer',
  'GET /api/issues/{id}/steps': 'viewer',
  'GET /api/issues/{id}/plans': 'viewer',
  'GET /api/issues/{id}/diff': 'viewer',
  'GET /api/issues/{id}/log': 'viewer',
  'GET /api/issues/{id}/base': 'viewer',
  'GET /api/issues/{id}/outcome': 'viewer',
  'POST /api/issues/{id}/close-reason': { own: 'contributor', any: 'approver' },
  'POST /api/notifications/targets': 'viewer',
  'GET /api/outcomes': 'viewer',
  'GET /api/audit': 'admin',
};
const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
const isOfRepo = ({ path, body, query }: Operation) =>
  /^\/api\/(repos|issues)\/\{id\}/.test(path) ||
  body?.properties?.repo_id !== undefined ||
  query.some(({ name }) => name === 'repo_id');
const ofRepos = operationsOf(openApiDocument()).filter(isOfRepo);

describe('each operation on a repository or an issue', () => {
  it('has a role that it needs', () => {
    // Lists leave out what the caller may not read. A target is the caller's own, and made for a repository as it is changed.
    // The audit log of all is the operators'.
    const others = [
      'GET /api/issues',
      'GET /api/inbox',
      'GET /api/admin/audit',
      'PATCH /api/notifications/targets/{id}',
    ];
    expect(
      ofRepos
        .map(nameOf)
        // An operator is asked for before the repository.
        .filter((name) => !others.includes(name) && !name.includes(' /api/admin/'))
        .sort(),
    ).toEqual(Object.keys(needed).sort());
  });

  const cases = ofRepos.filter((one) => nameOf(one) in needed).map((one) => [nameOf(one), one] as const);
  it.each(cases)('%s refuses the roles below, and strangers', async (name, operation) => {
    const need = needed[name];
    if (need === undefined) throw new Error(`${name} needs no role.`);
    const issue = await api.issue(members.contributor, { repo_id: repo });
    const ask = async (as: Login) => {
      const { status, body } = await request(operation, as, issue.id);
      return status === 403 && /^(not_owner|role_insufficient)$/.test(String(body.code)) ? body.code : 'passes';
    };
    expect(await ask(await api.login())).toBe('not_owner');
    const least = typeof need === 'string' ? need : need.any;
    // The members who may not ask first: the others can end the issue or the repository.
    for (const role of roles.filter((role) => !includesRole(role, least) && role !== 'contributor')) {
      expect(await ask(members[role]), role).toBe('role_insufficient');
    }
    const ofContributor = typeof need === 'string' ? need : need.own;
    const isEnough = includesRole('contributor', ofContributor);
    expect(await ask(members.contributor)).toBe(isEnough ? 'passes' : 'role_insufficient');
  });
});

/** Sends the example of the document, about the issue or the repository. */
async function request({ method, path, described }: Operation, as: Login, issue: string) {
  const example = described.requestBody?.content['application/json']?.example as object | undefined;
  const json = example !== undefined && 'repo_id' in example ? { ...example, repo_id: repo } : (example ?? {});
  const id = path.startsWith('/api/repos') ? repo : issue;
  const query = path.endsWith('/search') ? '?q=sum' : /^\/api\/(outcomes|audit)$/.test(path) ? `?repo_id=${repo}` : '';
  const target = path.replace('{id}', id).replace(/\{(user|token|invitation)_id\}/, newId()) + query;
  const answer = await fetch(`${api.url}${target}`, {
    method,
    headers: { cookie: as.cookie, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
    ...(method === 'GET' ? {} : { body: JSON.stringify(json) }),
  });
  if (answer.status === 403) return { status: 403, body: (await answer.json()) as { code: string } };
  await answer.body?.cancel(); // a stream does not end
  return { status: answer.status, body: { code: null } };
}
