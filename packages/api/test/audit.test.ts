import { type AuditAction, auditActions } from '@sluice/core/audit';
import { newId } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { routeTable } from '../src/transport/rest/route-table.ts';
import { appRouter } from '../src/transport/trpc/app-router.ts';
import { type Login, type RunningApi, startApi } from './start-api.ts';

let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  api = await startApi();
  ada = await api.login();
});
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

interface Entry {
  readonly action: string;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly detail: Record<string, unknown>;
}

const entries = async (as = ada): Promise<Entry[]> =>
  (await api.call('GET', '/api/audit?limit=100', { as })).body.items as Entry[];
const actions = async (as = ada) => (await entries(as)).map(({ action }) => action).reverse();

/** The act that each writing procedure is recorded as; null where it has none besides the session that it may open. */
const actOf: Record<string, AuditAction | null> = {
  'auth.register': 'account.registered',
  'auth.login': 'session.opened',
  'auth.logout': 'session.closed',
  'auth.account.update': 'account.changed',
  'auth.preferences.update': null,
  'auth.account.delete': 'account.deleted',
  'auth.sessions.revoke': 'session.revoked',
  'auth.secondFactors.beginTotp': null,
  'auth.secondFactors.beginPasskey': null,
  'auth.secondFactors.add': 'account.factor_added',
  'auth.secondFactors.rename': 'account.factor_renamed',
  'auth.secondFactors.remove': 'account.factor_removed',
  'auth.secondFactors.replaceRecoveryCodes': 'account.recovery_codes_replaced',
  'auth.password.requestReset': null,
  'auth.password.reset': 'account.password_reset',
  'auth.email.requestVerification': null,
  'auth.email.verify': 'account.email_verified',
  'auth.codehost.start': null,
  'auth.codehost.cli.confirm': null,
  'auth.codehost.cli.finish': 'session.opened',
  'auth.codehost.unlink': 'account.unlinked',
  'auth.oidc.start': null,
  'auth.oidc.cli.confirm': null,
  'auth.oidc.cli.finish': 'session.opened',
  'auth.oidc.unlink': 'account.identity_unlinked',
  'auth.oidc.logout': 'session.closed',
  'repos.create': 'repo.registered',
  'repos.update': 'repo.changed',
  'repos.delete': 'repo.removed',
  'repos.addMember': 'repo.member_put',
  'repos.changeMember': 'repo.member_put',
  'repos.removeMember': 'repo.member_removed',
  'repos.inviteMember': 'invitation.created',
  'repos.withdrawInvitation': 'invitation.withdrawn',
  'admin.invite': 'invitation.created',
  'admin.withdrawInvitation': 'invitation.withdrawn',
  'repos.updateBudget': 'budget.set',
  'admin.updateBudgets': 'budget.set',
  // Which one depends on what is changed.
  'admin.updateUser': null,
  'admin.endUserSessions': 'account.sessions_ended',
  'admin.revokeUserToken': 'token.revoked',
  'admin.removeUserSecondFactors': 'account.factors_removed',
  'repos.revokeToken': 'token.revoked',
  'tokens.create': 'token.created',
  'tokens.revoke': 'token.revoked',
  'issues.create': 'issue.created',
  'issues.import': 'issue.imported',
  'issues.update': 'issue.edited',
  'issues.run': 'issue.queued',
  'issues.retry': 'issue.retried',
  'issues.approve': 'issue.decided',
  'issues.message': 'issue.noted',
  'issues.closeReason': 'issue.close_explained',
  'issues.cancel': 'issue.cancelled',
  'issues.delete': 'issue.deleted',
  'attachments.upload': 'attachment.uploaded',
  'notifications.create': 'notification.created',
  'notifications.update': 'notification.changed',
  'notifications.delete': 'notification.removed',
  'notifications.rotateSecret': 'notification.secret_rotated',
  // The list of deliveries is their record.
  'notifications.test': null,
  'notifications.replay': null,
};

describe('the audit log', () => {
  it('has an act for every procedure that writes', () => {
    const writing = routeTable(appRouter).filter(({ method }) => method !== 'GET');
    expect(writing.map(({ name }) => name).toSorted()).toEqual(Object.keys(actOf).toSorted());
    const byOperators = [
      'account.disabled',
      'account.enabled',
      'account.password_reset',
      'account.sessions_ended',
      'account.operator_granted',
      'account.operator_revoked',
      'account.factors_removed',
    ];
    // An invitation is accepted by a registration.
    // An account is linked by the code host's redirect, which is a GET, and e-mails are turned off by a link.
    // Approvals that no longer count are dropped by the approval that finds them, which is refused.
    const others = [
      'notification.unsubscribed',
      'invitation.accepted',
      'account.linked',
      'account.identity_linked',
      'issue.approvals_dropped',
      'repo.handed_over', // by the deletion of an account
    ];
    const acts = [...Object.values(actOf), ...byOperators, ...others];
    expect(new Set(acts.filter((act) => act !== null))).toEqual(new Set(auditActions));
  });

  it('records every act of a user once, and no refused one', async () => {
    const repo = await api.repo(ada, { test_command: 'npm test' });
    const act = (method: string, path: string, json?: unknown) =>
      api.call(method, path, { as: ada, ...(json === undefined ? {} : { json }) });
    const one = await api.issue(ada, { repo_id: repo.id });
    expect((await act('DELETE', `/api/repos/${repo.id}`)).status).toBe(409);
    await act('PATCH', `/api/repos/${repo.id}`, { instructions: 'Be brief.', settings: { allow_red_base: true } });
    await act('POST', `/api/issues/${one.id}/messages`, { text: 'Leave the API as it is.' });
    await api.toGate(one.id);
    expect((await act('POST', `/api/issues/${one.id}/approve`, { action: 'approve', revision: 9 })).status).toBe(409);
    await act('POST', `/api/issues/${one.id}/approve`, { action: 'instruct', guidance: 'Smaller, please.' });
    await api.fail(one.id);
    await act('POST', `/api/issues/${one.id}/retry`, {});
    await act('DELETE', `/api/issues/${one.id}`);
    expect((await act('DELETE', `/api/issues/${one.id}`)).status).toBe(409);
    await act('DELETE', `/api/issues/${one.id}/permanent`);
    await act('DELETE', `/api/repos/${repo.id}`);
    const about = { plan_hash: null, base_commit: null, head_commit: null, client: null };
    const found = await entries();
    expect(found.toReversed().map(({ action, subject, detail }) => [action, subject.id, detail])).toEqual([
      ['repo.registered', repo.id, { name: repo.name }],
      ['issue.created', one.id, { repo_id: repo.id }],
      ['repo.changed', repo.id, { name: repo.name, fields: ['instructions', 'settings'] }],
      ['issue.noted', one.id, {}],
      ['issue.decided', one.id, { action: 'instruct', on: 'plan', revision: 1, blind: true, ...about }],
      ['issue.retried', one.id, {}],
      ['issue.cancelled', one.id, {}],
      ['issue.deleted', one.id, {}],
      ['repo.removed', repo.id, { name: repo.name }],
    ]);
    expect(found.map(({ subject }) => subject.kind)).toEqual(found.map(({ action }) => action.split('.')[0]));
    for (const entry of found) {
      expect(entry).toMatchObject({ actor: 'user', session_id: ada.sessionId, at: expect.stringMatching(/Z$/) });
    }
    expect(JSON.stringify(found)).not.toMatch(/brief|Smaller|Leave the API|Sum ignores/);
  });

  it('records the edit and start of a pending issue, and none of the worker’s acts', async () => {
    const repo = await api.repo(ada);
    const id = newId();
    const issue = { id, userId: ada.user.id, repoId: repo.id, title: 'A', body: '', labels: [], baseBranch: 'main' };
    await api.stores.issues.create({ ...issue, origin: 'codehost' } as never, { queue: false });
    await api.call('PATCH', `/api/issues/${id}`, { as: ada, json: { title: 'B' } });
    await api.call('POST', `/api/issues/${id}/run`, { as: ada });
    await api.call('POST', `/api/issues/${id}/run`, { as: ada });
    await api.toGate(id);
    await api.call('POST', `/api/issues/${id}/approve`, { as: ada, json: { action: 'approve' } });
    await api.fail(id);
    expect(await actions()).toEqual(['repo.registered', 'issue.edited', 'issue.queued', 'issue.decided']);
  });

  it('records which gate was decided', async () => {
    const { id } = await api.issue(ada);
    await api.toGate(id, undefined, { kind: 'publish', head_commit: 'c'.repeat(40) });
    const seen = await api.call('GET', `/api/issues/${id}`, { as: ada });
    expect(seen.body.gate).toMatchObject({ kind: 'publish' });
    await api.call('POST', `/api/issues/${id}/approve`, { as: ada, json: { action: 'reject' } });
    expect((await entries())[0]).toMatchObject({
      action: 'issue.decided',
      detail: { on: 'publication', action: 'reject' },
    });
  });

  it('records the registration and the sessions of an account', async () => {
    const password = 'correct horse battery';
    const headers = { 'user-agent': 'curl/8.5.0' };
    const registered = await api.call('POST', '/api/auth/register', {
      json: { email: 'grace@example.com', password },
      headers,
    });
    const cookie = registered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const as = { ...ada, cookie };
    const wrong = { email: 'grace@example.com', password: 'wrong' };
    expect((await api.call('POST', '/api/auth/login', { json: wrong })).status).toBe(401);
    await api.call('POST', '/api/auth/login', { json: { email: 'grace@example.com', password }, headers });
    const { items } = (await api.call('GET', '/api/auth/sessions', { as })).body as {
      items: { id: string; current: boolean }[];
    };
    const other = items.find(({ current }) => !current)?.id ?? '';
    const own = items.find(({ current }) => current)?.id ?? '';
    await api.call('DELETE', `/api/auth/sessions/${other}`, { as });
    const json = { password: 'a staple of batteries', name: 'Grace', current_password: password };
    await api.call('PATCH', '/api/auth/me', { as, json });
    const told = (await entries(as)).toReversed().map(({ action, subject, detail }) => [action, subject.id, detail]);
    expect(told).toEqual([
      ['account.registered', registered.body.id, { by: 'password' }],
      ['session.opened', own, { by: 'password', client: 'curl' }],
      ['session.opened', other, { by: 'password', client: 'curl' }],
      ['session.revoked', other, {}],
      ['account.changed', registered.body.id, { fields: ['name', 'password'], sessions_ended: 0 }],
    ]);
    await api.call('POST', '/api/auth/logout', { as });
    const { items: left } = await api.stores.audit.listAll({ limit: 1, cursor: null });
    expect(left[0]?.act).toEqual({ action: 'session.closed', subjectId: own, detail: {} });
  });

  it('is read in pages, by its own user alone', async () => {
    for (let count = 0; count < 5; count += 1) await api.repo(ada);
    const eve = await api.login();
    await api.repo(eve);
    const first = await api.call('GET', '/api/audit?limit=3', { as: ada });
    await api.call('PATCH', '/api/auth/me', { as: ada, json: { name: 'A' } });
    const second = await api.call('GET', `/api/audit?limit=3&cursor=${first.body.next_cursor}`, { as: ada });
    const pages = [first, second].flatMap(({ body }) => body.items as Entry[]);
    expect(pages.map(({ action }) => action)).toEqual(Array(5).fill('repo.registered'));
    expect(second.body.next_cursor).toBeNull();
    expect(await actions(eve)).toEqual(['repo.registered']);
    expect((await api.call('GET', '/api/audit?cursor=x', { as: ada })).body).toMatchObject({ code: 'cursor_invalid' });
    expect((await api.call('GET', '/api/audit')).status).toBe(401);
  });
});
