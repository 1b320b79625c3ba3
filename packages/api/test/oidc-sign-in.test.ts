import { createHash } from 'node:crypto';
import { AppError } from '@sluice/core/error';
import type { RepoId, UserId } from '@sluice/core/id';
import { eventually, settableClock } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, openBrowser } from './browser.ts';
import { type AtProvider, type ScriptedProvider, scriptedProvider } from './scripted-provider.ts';
import { type RunningApi, type Setup, startApi } from './start-api.ts';

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';
const clock = settableClock(new Date());
const ada: AtProvider = { sub: 'ada', email: 'ada@example.com', sid: 's-ada' };

let api: RunningApi;
let company: ScriptedProvider;
let other: ScriptedProvider;
const open = async (setup: Setup = {}) => {
  company = scriptedProvider();
  other = scriptedProvider('other');
  api = await startApi({ clock, ports: { oidc: [company, other] }, ...setup });
};
const reopen = async (setup: Setup) => {
  await api[Symbol.asyncDispose]();
  await open(setup);
};
beforeEach(() => open());
afterEach(() => api[Symbol.asyncDispose]());

const begin = async (browser: Browser, at = company): Promise<string> =>
  String((await browser.call('POST', `/api/auth/oidc/${at.provider.id}`)).body.authorization_url);
const signIn = async (browser: Browser, who = ada, { at = company, accept = 'application/json' } = {}) =>
  await browser.call('GET', at.walk(await begin(browser, at), who), { accept });
const me = async (browser: Browser) => (await browser.call('GET', '/api/auth/me')).body;
const isLoggedIn = async (browser: Browser) => (await browser.call('GET', '/api/auth/me')).status === 200;
const registered = async (email: string) => {
  const browser = openBrowser(api);
  const json = { email, password: 'correct horse battery' };
  expect((await browser.call('POST', '/api/auth/register', { json })).status).toBe(201);
  return browser;
};
const logOutAt = (logout: Parameters<ScriptedProvider['logoutToken']>[0] | string, at = company) =>
  api.call('POST', `/api/auth/oidc/${at.provider.id}/backchannel-logout`, {
    raw: new URLSearchParams({
      logout_token: typeof logout === 'string' ? logout : at.logoutToken(logout),
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

describe('a sign-in at an OpenID provider', () => {
  it('makes an account, finds it again, and never goes by the e-mail', async () => {
    const browser = openBrowser(api);
    const answer = await signIn(browser);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/issues']);
    expect(await me(browser)).toMatchObject({ email: 'ada@example.com', name: 'ada' });
    const again = openBrowser(api);
    await signIn(again, { ...ada, email: 'new@example.com' });
    expect((await me(again)).id).toBe((await me(browser)).id);
    const elsewhere = openBrowser(api);
    await signIn(elsewhere, ada, { at: other });
    expect(await me(elsewhere)).toMatchObject({ email: null });
    expect((await me(elsewhere)).id).not.toBe((await me(browser)).id);
  });

  it('is good once, in the browser in which it began, for the provider at which it began', async () => {
    const browser = openBrowser(api);
    const back = company.walk(await begin(browser), ada);
    expect((await openBrowser(api).call('GET', back)).body.code).toBe('oidc_state_invalid');
    const mixedUp = back.replace('/oidc/company/', '/oidc/other/');
    expect((await browser.call('GET', mixedUp)).body.code).toBe('oidc_state_invalid');
    const answers = await Promise.all([1, 2, 3].map(() => browser.call('GET', back)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 400, 400]);
    expect(
      answers.filter(({ headers }) => headers.getSetCookie().some((one) => one.startsWith('access_token='))),
    ).toHaveLength(1);
    const late = openBrowser(api);
    const lateBack = company.walk(await begin(late), ada);
    clock.advance(600_000);
    expect((await late.call('GET', lateBack)).body.code).toBe('oidc_state_invalid');
  });

  it('keeps its half of the flow from pages and other paths, and shows failures where it began', async () => {
    const browser = openBrowser(api);
    const { headers } = await browser.call('POST', '/api/auth/oidc/company');
    expect(headers.getSetCookie()[0]).toMatch(
      /^oidc_flow_[\w-]{8}=[\w.-]+; Max-Age=600; Path=\/api\/auth\/oidc; HttpOnly; SameSite=Lax$/,
    );
    company.fail(new AppError('oidc_unavailable'));
    expect((await browser.call('POST', '/api/auth/oidc/company')).status).toBe(502);
    const url = await begin(browser);
    company.fail(new AppError('oidc_token_invalid'));
    const failed = await browser.call('GET', company.walk(url, ada), { accept: HTML });
    expect([failed.status, failed.headers.get('location')]).toEqual([302, '/login?error=oidc_token_invalid']);
    expect((await browser.call('POST', '/api/auth/oidc/nowhere')).body.code).toBe('oidc_provider_not_found');
  });

  it('does not let a disabled user in', async () => {
    const browser = openBrowser(api);
    await signIn(browser);
    await api.stores.users.disable((await me(browser)).id as UserId);
    expect((await signIn(openBrowser(api))).body.code).toBe('account_disabled');
  });

  it('makes accounts while registration is closed only where groups say who may enter', async () => {
    await reopen({ registration: 'closed' });
    expect((await signIn(openBrowser(api))).body.code).toBe('registration_closed');
    company.rules = { ...company.rules, allowedGroups: ['staff'] };
    expect((await signIn(openBrowser(api), { ...ada, groups: ['guests'] })).body.code).toBe('oidc_group_required');
    expect((await signIn(openBrowser(api), { ...ada, groups: ['staff'] })).status).toBe(302);
  });
});

describe('groups', () => {
  it('give roles at each sign-in and take them, at once also in open streams, but not what an admin gave', async () => {
    const owner = await api.login();
    const [shop, docs] = [await api.repo(owner), await api.repo(owner)];
    company.rules = {
      allowedGroups: ['dev', 'ops'],
      operatorGroups: ['ops'],
      repoRoles: [
        { group: 'dev', repoId: shop.id as RepoId, role: 'contributor' },
        { group: 'dev', repoId: docs.id as RepoId, role: 'viewer' },
      ],
    };
    const browser = openBrowser(api);
    await signIn(browser, { ...ada, groups: ['dev'] });
    const { id, operator } = await me(browser);
    expect(operator).toBe(false);
    const role = (repo: { id: string }) => api.stores.members.role(repo.id as RepoId, id as UserId);
    expect([await role(shop), await role(docs)]).toEqual(['contributor', 'viewer']);
    await api.stores.members.put({ repoId: docs.id as RepoId, userId: id as UserId, role: 'admin', origin: 'added' });

    const changed: string[] = [];
    api.signals.subscribe(null, { onAccessChanged: (userId) => void changed.push(userId) });
    await signIn(openBrowser(api), { ...ada, groups: ['ops'] });
    expect([await role(shop), await role(docs)]).toEqual([null, 'admin']);
    expect((await me(browser)).operator).toBe(true);
    await eventually(() => expect(changed).toEqual([id]));

    expect((await signIn(openBrowser(api), ada)).body.code).toBe('oidc_group_required');
    expect((await me(browser)).operator).toBe(false);
  });
});

describe('linking', () => {
  it('adds the account to the user of the session, and refuses one that has a user', async () => {
    const browser = await registered('grace@example.com');
    const linked = await signIn(browser);
    expect(linked.headers.get('location')).toBe('/settings?linked=company');
    expect((await browser.call('GET', '/api/auth/oidc')).body.items).toMatchObject([
      { provider: 'company', linked_at: expect.any(String), current: false },
      { provider: 'other', linked_at: null },
    ]);
    const eve = await registered('eve@example.com');
    expect((await signIn(eve)).body.code).toBe('oidc_account_taken');
    expect((await signIn(browser, { sub: 'another' })).body.code).toBe('oidc_linked_to_another');
    const [again] = [openBrowser(api)];
    await signIn(again);
    expect((await me(again)).email).toBe('grace@example.com');
    expect((await browser.call('DELETE', '/api/auth/oidc/company')).status).toBe(204);
    expect((await browser.call('DELETE', '/api/auth/oidc/company')).body.code).toBe('oidc_not_linked');
  });

  it('does not take the only way to log in, nor an account into the session of another user', async () => {
    const browser = openBrowser(api);
    await signIn(browser);
    expect((await browser.call('DELETE', '/api/auth/oidc/company')).body.code).toBe('oidc_only_login');
    await signIn(browser, ada, { at: other });
    expect((await browser.call('DELETE', '/api/auth/oidc/company')).status).toBe(204);
    // Begun without a session, it comes back into that of somebody else.
    const eve = openBrowser(api);
    const back = company.walk(await begin(eve), { sub: 'mallory' });
    await eve.call('POST', '/api/auth/register', {
      json: { email: 'eve@example.com', password: 'correct horse battery' },
    });
    expect((await eve.call('GET', back)).body.code).toBe('oidc_state_invalid');
  });
});

describe('logging out', () => {
  it('at the provider ends the sessions that began there, once for each token', async () => {
    const [one, two, own] = [openBrowser(api), openBrowser(api), openBrowser(api)];
    await signIn(one);
    await signIn(two, { ...ada, sid: 's-2' });
    await signIn(own, ada, { at: other });
    const ended: string[] = [];
    api.signals.subscribe(null, { onSessionEnded: (id) => void ended.push(id) });
    const token = company.logoutToken({ sid: 's-ada' });
    const answers = await Promise.all([1, 2, 3].map(() => logOutAt(token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    expect([await isLoggedIn(one), await isLoggedIn(two)]).toEqual([false, true]);
    await eventually(() => expect(ended).toHaveLength(1));
    expect((await logOutAt({ subject: 'ada' })).status).toBe(200);
    expect([await isLoggedIn(two), await isLoggedIn(own)]).toEqual([false, true]);
  });

  it('at the provider takes a form with a valid token alone, from any origin', async () => {
    expect((await logOutAt('forged')).body.code).toBe('oidc_logout_token_invalid');
    const path = '/api/auth/oidc/company/backchannel-logout';
    expect((await api.call('POST', path, { json: {} })).status).toBe(400);
    expect((await api.call('GET', path)).status).toBe(405);
    expect((await logOutAt({ subject: 'x', tokenId: 'a'.repeat(20_000) })).status).toBe(413);
    expect((await api.call('POST', path.replace('company', 'nowhere'), { json: {} })).status).toBe(404);
    company.fail(new AppError('oidc_unavailable'));
    expect((await logOutAt({ subject: 'x' })).status).toBe(502);
  });

  it('here names the page of the provider, and needs no provider that answers', async () => {
    const browser = openBrowser(api);
    await signIn(browser);
    const answer = await browser.call('POST', '/api/auth/oidc/company/logout');
    expect(answer.body.end_session_url).toBe(
      `https://company.example.test/logout?back=${encodeURIComponent(`${api.url}/login`)}`,
    );
    expect(await isLoggedIn(browser)).toBe(false);
    await signIn(browser);
    company.fail(new AppError('oidc_unavailable'));
    expect((await browser.call('POST', '/api/auth/oidc/company/logout')).body).toEqual({ end_session_url: null });
    expect(await isLoggedIn(browser)).toBe(false);
  });
});

describe('a program', () => {
  const verifier = 'v'.repeat(43);

  /** A grant as the browser delivers it to the program. */
  async function granted() {
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const asked = await api.call(
      'GET',
      `/api/auth/oidc/company/cli?port=4000&challenge=${challenge}&state=${'s'.repeat(16)}`,
    );
    const browser = openBrowser(api);
    const confirmed = await browser.call('POST', new URL(String(asked.body.confirm_url)).pathname);
    const back = company.walk(confirmed.headers.get('location') ?? '', ada);
    const delivered = new URL((await browser.call('GET', back)).headers.get('location') ?? '');
    expect([delivered.origin, await isLoggedIn(browser)]).toEqual(['http://127.0.0.1:4000', false]);
    return { grant: delivered.searchParams.get('grant') ?? '', verifier };
  }

  it('is logged in with a grant that its browser delivers, in a session that the provider can end', async () => {
    const json = await granted();
    const program = openBrowser(api);
    expect((await program.call('POST', '/api/auth/oidc/company/cli', { json })).status).toBe(200);
    expect((await program.call('POST', '/api/auth/oidc/company/cli', { json })).status).toBe(400);
    expect((await logOutAt({ sid: 's-ada' })).status).toBe(200);
    expect(await isLoggedIn(program)).toBe(false);
  });

  it.each(['codehost', 'oidc/other'])(
    'gets no session at %s, which a logout at its provider would not end',
    async (at) => {
      const program = openBrowser(api);
      const refused = await program.call('POST', `/api/auth/${at}/cli`, { json: await granted() });
      expect([refused.status, await isLoggedIn(program)]).toEqual([400, false]);
    },
  );
});

describe('without passwords', () => {
  it('nobody logs in or registers with one, and the server names the ways that are left', async () => {
    await registered('ada@example.com');
    expect((await api.call('GET', '/api/server')).body).toMatchObject({
      sign_in: ['password', 'oidc'],
      oidc_providers: [
        { id: 'company', name: 'The company' },
        { id: 'other', name: 'The other' },
      ],
    });
    await reopen({ passwords: false });
    const json = { email: 'ada@example.com', password: 'correct horse battery' };
    for (const path of ['login', 'register']) {
      const answer = await api.call('POST', `/api/auth/${path}`, { json });
      expect([answer.status, answer.body.code]).toEqual([401, 'password_login_disabled']);
    }
    expect((await api.call('GET', '/api/server')).body).toMatchObject({ registration: 'closed', sign_in: ['oidc'] });
    expect((await signIn(openBrowser(api))).status).toBe(302);
  });
});
