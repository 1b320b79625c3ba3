import type { Role } from '@sluice/core/access';
import type { IssueId, RepoId } from '@sluice/core/id';
import type { BaseBranches } from '@sluice/core/workspace';
import { aPlan } from '@sluice/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

const BASE = 'b'.repeat(40);
const HEAD = 'c'.repeat(40);
const plan = aPlan({ steps: [{ title: 'Fix sum', detail: '', files: ['src/sum.js'] }] });

/** The files that the base branch has changed. */
let changed: readonly string[];
const bases: BaseBranches = { since: async ({ baseCommit }) => ({ tip: baseCommit, changed }) };

let api: RunningApi;
/** Registered the repository, and asks for the work. */
let ada: Login;
let bob: Login;
let cleo: Login;
let repo: string;
let id: string;
beforeAll(async () => {
  api = await startApi({ bases, takesApiTokens: true });
});
afterAll(() => api[Symbol.asyncDispose]());
beforeEach(async () => {
  changed = [];
  ada = await api.login();
  repo = (await api.repo(ada)).id;
  bob = await memberWith('approver');
  cleo = await memberWith('approver');
  const settings = { requester_approves: false, plan_approvals: 2, publish_approvals: 2 };
  const set = await api.call('PATCH', `/api/repos/${repo}`, { as: ada, json: { settings } });
  expect([set.status, set.body.settings]).toMatchObject([200, settings]);
  ({ id } = await api.issue(ada, { repo_id: repo }));
});

afterEach(() => api.call('DELETE', `/api/issues/${id}`, { as: ada })); // frees its slot

async function memberWith(role: Role): Promise<Login> {
  const login = await api.login();
  await give(login, role);
  return login;
}

function give({ user }: Login, role: Role) {
  return api.stores.members.put({ repoId: repo as RepoId, userId: user.id, role, origin: 'added' });
}

const decide = (as: Login, json: object) => api.call('POST', `/api/issues/${id}/approve`, { as, json });
const approve = (as: Login, json: object = { revision: 1 }) => decide(as, { action: 'approve', ...json });
const shown = async (as: Login) => (await api.call('GET', `/api/issues/${id}`, { as })).body;
const gateFor = async (as: Login) => (await shown(as)).gate as Record<string, unknown>;
const listsOf = async (as: Login) => {
  const { body } = await api.call('GET', '/api/inbox', { as });
  const has = (list: string) => (body[list] as { items: { id: string }[] }).items.some((item) => item.id === id);
  return ['needs_you', 'waits_for_others'].filter(has);
};

describe('a gate that takes two approvals, and none of the requester', () => {
  beforeEach(() => api.toGate(id, plan, { plan_hash: 'a hash', base_commit: BASE }));

  it('says to each reader what it takes, and whether theirs would count', async () => {
    const viewer = await memberWith('viewer');
    const takes = { approvals: [], approvals_needed: 2, requester_approves: false };
    expect(await gateFor(bob)).toMatchObject({ ...takes, your_approval: 'counts' });
    expect(await gateFor(ada)).toMatchObject({ ...takes, your_approval: 'requester_may_not_approve' });
    expect(await gateFor(viewer)).toMatchObject({ ...takes, your_approval: 'role_insufficient' });
    expect([await listsOf(ada), await listsOf(bob)]).toEqual([['waits_for_others'], ['needs_you']]);
  });

  it('stays open after the first, ends with the second, and records what they were about', async () => {
    const first = await approve(bob);
    expect([first.status, first.body.status]).toEqual([200, 'awaiting_approval']);
    expect(first.body.gate).toMatchObject({ approvals: [{ user_id: bob.user.id }], your_approval: 'already_approved' });
    expect([await listsOf(bob), await listsOf(cleo)]).toEqual([['waits_for_others'], ['needs_you']]);
    const second = await approve(cleo);
    expect([second.status, second.body.status, second.body.gate]).toEqual([200, 'running', null]);

    const about = { plan_hash: 'a hash', base_commit: BASE, head_commit: null };
    const { body } = await api.call('GET', `/api/audit?repo_id=${repo}`, { as: ada });
    const entries = (body.items as Record<string, unknown>[]).filter(({ action }) => action === 'issue.decided');
    expect(entries).toMatchObject([
      { user_id: cleo.user.id, detail: { action: 'approve', on: 'plan', approvals: 2, approvals_needed: 2, ...about } },
      { user_id: bob.user.id, detail: { action: 'approve', on: 'plan', approvals: 1, approvals_needed: 2, ...about } },
    ]);
    expect(entries.map(({ session_id: session }) => session)).toEqual([null, null]); // those of others
    const own = await api.call('GET', '/api/audit', { as: cleo });
    expect(own.body.items).toMatchObject([{ action: 'issue.decided', session_id: expect.any(String) }]);
    const events = await api.stores.issues.events(id as IssueId, { after: 0, limit: 100 });
    expect(events.filter(({ type }) => type.startsWith('review.'))).toMatchObject([
      { type: 'review.requested' },
      { type: 'review.approved', data: { user_id: bob.user.id, ...about } },
      {
        type: 'review.decided',
        data: { user_id: cleo.user.id, approvals: [{ user_id: bob.user.id }, { user_id: cleo.user.id }], ...about },
      },
    ]);
  });

  it('refuses the same person twice, also in another session', async () => {
    await approve(bob);
    for (const session of [bob, await api.otherSession(bob)]) {
      const { status, body } = await approve(session);
      expect([status, body]).toMatchObject([409, { code: 'already_approved', approvals: 1, approvals_needed: 2 }]);
      expect(body.detail).toContain('another person');
    }
  });

  it('refuses the requester in each of their sessions, who may still reject', async () => {
    for (const session of [ada, await api.otherSession(ada)]) {
      const { status, body } = await approve(session);
      expect([status, body.code]).toEqual([403, 'requester_may_not_approve']);
      expect(body.detail).toContain('somebody else');
    }
    expect((await decide(ada, { action: 'reject' })).body.status).toBe('rejected');
  });

  it('refuses the requester by a token, and counts a token as the person who owns it', async () => {
    const tokenOf = async (as: Login) => {
      const json = { name: 'CI', scope: 'approve', expires_in_days: 1 };
      return String((await api.call('POST', '/api/tokens', { as, json })).body.token);
    };
    const approveBy = async (by: string) => {
      const json = { action: 'approve', revision: 1 };
      const { status, body } = await api.call('POST', `/api/issues/${id}/approve`, { by, json });
      return [status, body.code ?? body.status];
    };
    expect(await approveBy(await tokenOf(ada))).toEqual([403, 'requester_may_not_approve']);
    const ofBob = await tokenOf(bob);
    expect(await approveBy(ofBob)).toEqual([200, 'awaiting_approval']);
    expect(await approveBy(ofBob)).toEqual([409, 'already_approved']);
    expect(await approveBy(await tokenOf(bob))).toEqual([409, 'already_approved']);
    expect(await approveBy(await tokenOf(cleo))).toEqual([200, 'running']);
  });

  it('refuses both once the base has moved under the plan, and drops the first', async () => {
    await approve(bob);
    changed = ['src/sum.js'];
    const { status, body } = await approve(cleo);
    expect([status, body]).toMatchObject([409, { code: 'plan_stale', files: ['src/sum.js'] }]);
    expect(await gateFor(cleo)).toMatchObject({ approvals: [] });
    expect((await approve(bob)).body.code).toBe('plan_stale');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['was demoted', () => give(bob, 'contributor')],
    ['left', () => api.stores.members.remove(repo as RepoId, bob.user.id)],
    ['was disabled', () => api.stores.users.disable(bob.user.id)],
  ])('refuses the second when the person who gave the first %s', async (_, lose) => {
    await approve(bob);
    await lose();
    const { status, body } = await approve(cleo);
    expect([status, body]).toMatchObject([409, { code: 'approval_lapsed', user_ids: [bob.user.id], approvals: 0 }]);
    expect(body.detail).toContain('no longer');
    expect((await approve(cleo)).body).toMatchObject({ status: 'awaiting_approval' });
    expect((await approve(await memberWith('approver'))).body).toMatchObject({ status: 'running' });
  });

  it('starts again with the next plan', async () => {
    await approve(bob);
    expect((await decide(cleo, { action: 'instruct', guidance: 'Shorter.' })).body.gate).toBeNull();
    await api.toGate(id, aPlan({ revision: 2 }));
    expect(await gateFor(bob)).toMatchObject({ revision: 2, approvals: [], your_approval: 'counts' });
  });
});

it('takes two people to publish a change, both for the same commit', async () => {
  await api.toGate(id, plan, { kind: 'publish', base_commit: BASE, head_commit: HEAD });
  const first = await approve(bob, { head_commit: HEAD });
  expect([first.status, first.body.status]).toEqual([200, 'awaiting_approval']);
  expect((await approve(cleo, { revision: 1 })).body.code).toBe('issue_not_awaiting_publication');
  expect((await approve(cleo, { head_commit: HEAD })).body).toMatchObject({ status: 'running', stage: 'publish' });
});

it('keeps the commands of a plan for the repository only when an admin approves it', async () => {
  const settings = { requester_approves: true, plan_approvals: 1 };
  await api.call('PATCH', `/api/repos/${repo}`, { as: ada, json: { settings } });
  const testCommandAfter = async (as: Login) => {
    await api.toGate(id, aPlan({ test_command: 'npm test' }));
    expect((await approve(as)).body.status).toBe('running');
    await api.fail(id);
    return (await api.call('GET', `/api/repos/${repo}`, { as })).body.test_command;
  };
  expect(await testCommandAfter(bob)).toBeNull();
  ({ id } = await api.issue(ada, { repo_id: repo }));
  expect(await testCommandAfter(ada)).toBe('npm test');
});
