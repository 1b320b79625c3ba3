import type { AccountMail, AccountMailer } from '@sluice/core/account';
import { rateLimits } from '@sluice/core/request';
import { createMemoryLimiter } from '@sluice/redis';
import { newId, untilFound } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { type Answer, type Login, type RunningApi, type Setup, startApi } from './start-api.ts';

const password = 'correct horse battery';

/** An api whose operator is the first account, and a user who is not. */
async function start(setup: Setup = {}) {
  const limiter = createMemoryLimiter({ ...rateLimits, register: null });
  const api = await startApi({ registration: 'invite', ports: { limiter }, ...setup });
  return { api, operator: await api.login(), admin: await api.login() };
}

const invite = (api: RunningApi, as: Login, json: object) => api.call('POST', '/api/admin/invitations', { as, json });
const inviteTo = (api: RunningApi, as: Login, { id, ...json }: Readonly<Record<'id' | 'email' | 'role', unknown>>) =>
  api.call('POST', `/api/repos/${id}/invitations`, { as, json });

/** What the link of an invitation holds. */
function linkOf({ body }: Answer) {
  const url = new URL(String(body.url));
  const parts = new URLSearchParams(url.hash.slice(1));
  return { path: url.pathname, invitation: parts.get('invitation') ?? '', email: parts.get('email') ?? '' };
}

const register = (api: RunningApi, json: object) =>
  api.call('POST', '/api/auth/register', { json: { password, ...json } });

describe('an invitation', () => {
  it('is sent to its address where the server sends e-mails, with the verified address of who invites, and to what', async () => {
    const sent: (AccountMail & { to: string })[] = [];
    const accountMailer: AccountMailer = {
      send: async (to, mail) => {
        sent.push({ to, ...mail });
        return { kind: 'accepted' };
      },
      close: () => undefined,
    };
    const limiter = createMemoryLimiter({ ...rateLimits, register: null });
    await using api = await startApi({
      registration: 'invite',
      invitations: 'admins',
      ports: { limiter, accountMailer },
    });
    // Anybody can give themselves any name, and write it to strangers.
    const operator = await api.login({ name: 'Your account is locked: https://evil.example' });
    const admin = await api.login();
    const email = String(admin.user.email);
    const expiresAt = new Date(Date.now() + 60_000);
    const { accountLinks } = api.stores;
    await accountLinks.put({ tokenHash: 'x', purpose: 'email_verification', userId: admin.user.id, email, expiresAt });
    await accountLinks.verifyEmail('x');
    const { id } = await api.repo(admin);
    const toServer = await invite(api, operator, { email: 'grace@example.com' });
    await untilFound(() => sent[0]);
    const toRepo = await inviteTo(api, admin, { id, email: 'linus@example.com', role: 'viewer' });
    await untilFound(() => sent[1]);
    expect(sent).toEqual([
      {
        ...{ to: 'grace@example.com', kind: 'invitation', url: toServer.body.url, days: 7 },
        ...{ inviter: 'A user of the server', place: expect.stringContaining('the server 127.0.0.1') },
      },
      {
        ...{ to: 'linus@example.com', kind: 'invitation', url: toRepo.body.url, days: 7 },
        ...{ inviter: email, place: expect.stringContaining('the repository ') },
      },
    ]);
  });

  it('lets somebody make an account where others cannot', async () => {
    const { api, operator } = await start();
    await using _ = api;
    expect((await api.call('GET', '/api/server')).body.registration).toBe('invite');
    const refused = await register(api, { email: 'eve@example.com' });
    expect([refused.status, refused.body.code]).toEqual([403, 'invitation_required']);
    const made = await invite(api, operator, { email: 'Grace@Example.com' });
    expect([made.status, made.body.email, made.body.repository]).toEqual([201, 'grace@example.com', null]);
    const { path, ...link } = linkOf(made);
    expect([path, link.email]).toEqual(['/register', 'grace@example.com']);
    for (const wrong of [
      { ...link, email: 'eve@example.com' },
      { ...link, invitation: 'x' },
    ]) {
      const answer = await register(api, wrong);
      expect([answer.status, answer.body.code]).toEqual([400, 'invitation_invalid']);
    }
    const account = await register(api, link);
    expect([account.status, account.body.operator, account.headers.getSetCookie()[0]]).toEqual([
      201,
      false,
      expect.stringContaining('access_token='),
    ]);
    expect((await register(api, link)).body.code).toBe('invitation_invalid');
    const { items } = (await api.call('GET', '/api/admin/invitations', { as: operator })).body;
    expect(items).toEqual([]);
  });

  it('into a repository makes a member at once, and is named in the audit log', async () => {
    const { api, operator, admin } = await start({ invitations: 'admins' });
    await using _ = api;
    const repo = await api.repo(admin);
    const made = await inviteTo(api, admin, { id: repo.id, email: 'grace@example.com', role: 'approver' });
    expect(made.body).toMatchObject({
      repository: { id: repo.id, role: 'approver' },
      invited_by: { id: admin.user.id },
    });
    const list = await api.call('GET', `/api/repos/${repo.id}/invitations`, { as: admin });
    const { url: _url, ...shown } = made.body;
    expect(list.body.items).toEqual([shown]);
    const { invitation, email } = linkOf(made);
    const { body: account } = await register(api, { email, invitation });
    const members = await api.call('GET', `/api/repos/${repo.id}/members`, { as: admin });
    expect(members.body.items).toMatchObject([{}, { user_id: account.id, role: 'approver', origin: 'added' }]);
    const log = await api.call('GET', '/api/admin/audit?limit=20', { as: operator });
    const acts = (log.body.items as { action: string; user_id: string }[]).map((one) => [one.action, one.user_id]);
    expect(acts).toEqual([
      ['session.opened', account.id],
      ['repo.member_put', admin.user.id],
      ['invitation.accepted', account.id],
      ['account.registered', account.id],
      ['invitation.created', admin.user.id],
      ['repo.registered', admin.user.id],
    ]);
    expect(log.text).not.toContain(invitation);
    expect(log.text).not.toContain('grace@');
  });

  it('is offered where an admin names an e-mail without an account, and is refused for one with an account', async () => {
    const { api, operator, admin } = await start({ invitations: 'admins' });
    await using _ = api;
    const repo = await api.repo(admin);
    const add = (as: Login, user: string) =>
      api.call('POST', `/api/repos/${repo.id}/members`, { as, json: { user, role: 'viewer' } });
    const unknown = await add(admin, 'grace@example.com');
    expect([unknown.status, unknown.body]).toMatchObject([404, { code: 'user_not_found', can_invite: true }]);
    expect((await add(admin, 'grace')).body).toMatchObject({ code: 'user_not_found', can_invite: false });
    const taken = await inviteTo(api, admin, { id: repo.id, email: operator.user.email, role: 'viewer' });
    expect([taken.status, taken.body.code]).toEqual([409, 'invitation_for_account']);
  });

  it('is taken back by an admin of the repository or an operator, and by no one else', async () => {
    const { api, operator, admin } = await start({ invitations: 'admins' });
    await using _ = api;
    const [repo, other] = [await api.repo(admin), await api.repo(admin)];
    const make = async () =>
      linkOf(await inviteTo(api, admin, { id: repo.id, email: `${newId()}@example.com`, role: 'viewer' }));
    const listed = async () =>
      (await api.call('GET', '/api/admin/invitations', { as: operator })).body.items as { id: string }[];
    const [one, two] = [await make(), await make()];
    const [second, first] = (await listed()).map(({ id }) => id);
    const withdraw = (as: Login, path: string) => api.call('DELETE', path, { as });
    expect((await withdraw(admin, `/api/repos/${other.id}/invitations/${first}`)).body.code).toBe(
      'invitation_not_found',
    );
    expect((await withdraw(admin, `/api/admin/invitations/${first}`)).body.code).toBe('operator_required');
    expect((await withdraw(operator, `/api/repos/${repo.id}/invitations/${first}`)).body.code).toBe('not_owner');
    expect((await withdraw(admin, `/api/repos/${repo.id}/invitations/${first}`)).status).toBe(204);
    expect((await withdraw(operator, `/api/admin/invitations/${second}`)).status).toBe(204);
    expect((await withdraw(operator, '/api/admin/invitations/x')).body.code).toBe('invitation_not_found');
    for (const { invitation, email } of [one, two]) {
      expect((await register(api, { email, invitation })).body.code).toBe('invitation_invalid');
    }
  });
});

describe('the person who invites', () => {
  it('is an operator, unless the installation lets admins', async () => {
    const { api, operator, admin } = await start();
    await using _ = api;
    const [theirs, own] = [await api.repo(admin), await api.repo(operator)];
    const json = { email: 'grace@example.com', role: 'viewer' };
    const refused = await inviteTo(api, admin, { id: theirs.id, ...json });
    expect([refused.status, refused.body.code]).toEqual([409, 'invitations_off']);
    expect(refused.body.detail).toContain('INVITATIONS=admins');
    expect((await invite(api, admin, { email: 'grace@example.com' })).body.code).toBe('operator_required');
    expect((await inviteTo(api, operator, { id: own.id, ...json })).status).toBe(201);
    // Being an operator gives no rights in the repositories of others.
    expect((await inviteTo(api, operator, { id: theirs.id, ...json })).body.code).toBe('not_owner');
    const named = await invite(api, operator, { email: 'g@example.com', repo_id: theirs.id, role: 'admin' });
    expect(named.body.code).toBe('not_owner');
    expect((await invite(api, operator, { email: 'g@example.com', repo_id: own.id, role: 'admin' })).status).toBe(201);
    expect((await invite(api, operator, { email: 'g@example.com', role: 'admin' })).status).toBe(400);
  });

  it('is needed until the invitation is used: without the right to invite it is void', async () => {
    const { api, operator, admin } = await start();
    await using _ = api;
    await api.stores.users.grantOperator(admin.user.id);
    const { id } = await api.repo(admin);
    const made = linkOf(await inviteTo(api, admin, { id, email: 'grace@example.com', role: 'viewer' }));
    const link = { email: made.email, invitation: made.invitation };
    const path = `/api/admin/users/${admin.user.id}`;
    await api.call('PATCH', path, { as: operator, json: { operator: false } });
    expect((await register(api, link)).body.code).toBe('invitation_invalid');
    await api.call('PATCH', path, { as: operator, json: { operator: true } });
    expect((await register(api, link)).status).toBe(201);
  });

  it('does not invite with an API token of one repository where that takes an operator', async () => {
    const { api, operator } = await start({ takesApiTokens: true });
    await using _ = api;
    const { id } = await api.repo(operator);
    const by = async (repo_id: string | null) => {
      const json = { name: 'CI', scope: 'admin', expires_in_days: 1, repo_id };
      return String((await api.call('POST', '/api/tokens', { as: operator, json })).body.token);
    };
    const json = { email: 'grace@example.com', role: 'viewer' };
    const call = async (repo_id: string | null) =>
      api.call('POST', `/api/repos/${id}/invitations`, { by: await by(repo_id), json });
    const refused = await call(id);
    expect([refused.status, refused.body.code]).toEqual([409, 'invitations_off']);
    expect(refused.body.detail).toContain('limited to one repository');
    expect((await call(null)).status).toBe(201);
  });

  it.each([
    [{ registration: 'first-user' }, 'REGISTRATION=invite'],
    [{ registration: 'closed' }, 'REGISTRATION=invite'],
    [{ passwords: false }, 'PASSWORDS=off'],
  ] as const)('cannot do so with %j, and reads which variable prevents it', async (setup, variable) => {
    const { api, operator } = await start(setup);
    await using _ = api;
    const refused = await invite(api, operator, { email: 'grace@example.com' });
    expect(refused.body).toMatchObject({ code: 'invitations_off', detail: expect.stringContaining(variable) });
    const answer = await register(api, { email: 'grace@example.com', invitation: 'x' });
    expect(answer.body.code).toMatch(/^(registration_closed|password_login_disabled)$/);
  });

  it('may be any admin where anybody may register', async () => {
    const { api, admin } = await start({ registration: 'open' });
    await using _ = api;
    const made = await inviteTo(api, admin, {
      id: (await api.repo(admin)).id,
      email: 'grace@example.com',
      role: 'viewer',
    });
    const { invitation, email } = linkOf(made);
    expect((await register(api, { email, invitation })).status).toBe(201);
    expect((await register(api, { email: 'eve@example.com' })).status).toBe(201);
  });
});
