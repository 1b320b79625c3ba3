import type { AccountMail, AccountMailer, AccountMailResult, User } from '@sluice/core/account';
import { hashApiToken, renderApiToken } from '@sluice/core/api-token';
import type { UserId } from '@sluice/core/id';
import { aNewApiToken, newId, untilFound } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStream } from './feed/open-stream.ts';
import { linkAccount, scriptedCodeHost } from './scripted-code-host.ts';
import { type ScriptedIdentity, scriptedIdentity } from './scripted-identity.ts';
import { type Login, type RunningApi, startApi as start } from './start-api.ts';

type Sent = AccountMail & { readonly to: string };

let sent: Sent[];
/** What the mail server says to the next e-mails. */
let answers: AccountMailResult[];
/** Fills one list: a mail of the test before must not come into that of the next. */
const mailerTo = (list: Sent[]): AccountMailer => ({
  send: async (to, mail) => {
    const answer = answers.shift() ?? { kind: 'accepted' };
    if (answer.kind === 'accepted') list.push({ to, ...mail });
    return answer;
  },
  close: () => undefined,
});

let atHost: ScriptedIdentity;
let api: RunningApi;
let ada: Login;
beforeEach(async () => {
  sent = [];
  answers = [];
  atHost = scriptedIdentity();
  const codehost = { ...scriptedCodeHost().port, identity: atHost };
  const ports = { accountMailer: mailerTo(sent), codehost };
  api = await start({ takesApiTokens: true, ports, trustProxy: ['loopback'] });
  ada = await api.login();
});
afterEach(() => api[Symbol.asyncDispose]());

const post = (path: string, json: unknown, as?: Login) => api.call('POST', `/api/auth/${path}`, { json, as });
const mailOf = (kind: Sent['kind']): Promise<Sent> =>
  untilFound(() => sent.find((mail) => mail.kind === kind)) as Promise<Sent>;
const tokenIn = (mail: Sent) => new URLSearchParams(new URL(mail.url).hash.slice(1)).get('token') ?? '';
const password = 'a staple of batteries';

describe('a forgotten password', () => {
  it('is replaced by the link, which ends all sessions, opens none and works once', async () => {
    const asked = await post('password-reset', { email: ada.user.email?.toUpperCase() });
    expect([asked.status, asked.text]).toEqual([202, '']);
    const mail = await mailOf('password_reset');
    expect(mail).toMatchObject({ to: ada.user.email, minutes: 30 });
    expect(mail.url).toContain(`${api.url}/reset-password#token=`);
    const set = await post('password-reset/confirm', { token: tokenIn(mail), password });
    expect([set.status, set.headers.get('set-cookie')]).toEqual([204, null]);
    expect((await api.call('GET', '/api/auth/me', { as: ada })).status).toBe(401);
    const again = await post('password-reset/confirm', { token: tokenIn(mail), password });
    expect([again.status, again.body.code]).toEqual([400, 'account_link_invalid']);
    expect((await post('login', { email: ada.user.email, password })).status).toBe(200);
    expect(await mailOf('password_changed')).toMatchObject({ to: ada.user.email });
    const [entry] = (await api.stores.audit.list(ada.user.id, { limit: 9, cursor: null })).items.filter(
      ({ act }) => act.action === 'account.password_reset',
    );
    expect(entry).toMatchObject({ actor: { kind: 'user', sessionId: null }, act: { detail: { sessions_ended: 1 } } });
  });

  it('leaves no way in to somebody who had registered the address before its owner', async () => {
    const text = await tokenOf(ada);
    const { oidcIdentities } = api.stores;
    const at = { issuer: 'https://id.example.com', subject: 'mallory', email: null, name: null };
    const grants = { isOperator: false, roles: new Map(), others: new Set<never>() };
    await oidcIdentities.link(ada.user.id, at, { grants });
    await linkAccount(api, ada, 'a token of the code host');
    const changed: string[] = [];
    api.signals.subscribe(null, { onAccessChanged: (userId) => void changed.push(userId) });
    const stream = await openStream(`${api.url}/api/events?after=0`, { authorization: `Bearer ${text}` });

    expect(stream.status).toBe(200);
    await resetOf(ada);
    expect(await stream.ended).toBe('closed');
    expect((await api.call('GET', '/api/repos', { by: text })).body.code).toBe('token_invalid');
    expect(await oidcIdentities.list(ada.user.id)).toEqual([]);
    expect(await api.stores.users.get(ada.user.id)).toMatchObject({ codehostId: null, codehostLogin: null });
    expect(atHost.revoked).toEqual(['a token of the code host']);
    expect(changed).toEqual([ada.user.id]);
    const [entry] = (await api.stores.audit.list(ada.user.id, { limit: 1, cursor: null })).items;
    expect(entry?.act).toMatchObject({
      action: 'account.password_reset',
      detail: { sessions_ended: 1, tokens_revoked: 1, accounts_unlinked: 2 },
    });

    // From now on the address is the owner's, and so is what they make.
    const own = await tokenOf(ada);
    await resetOf(ada);
    expect((await api.call('GET', '/api/repos', { by: own })).status).toBe(200);
  });

  it('is answered alike whether or not there is an account, before anything is looked up', async () => {
    const disabled = await api.login();
    await api.stores.users.disable(disabled.user.id);
    let lookedUp = 0;
    const { find } = api.deps.users;
    Object.assign(api.deps.users, {
      find: (who: never) => {
        lookedUp += 1;
        return find(who);
      },
    });
    const emails = [ada.user.email, 'nobody@example.com', disabled.user.email, 'no address'];
    const seen: unknown[] = [];
    for (const email of emails) {
      const answer = await post('password-reset', { email });
      const headers = [...answer.headers].filter(([name]) => !/^(date|x-request-id)$/.test(name));
      seen.push([answer.status, answer.text, headers]);
    }
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
    await untilFound(() => lookedUp === emails.length);
    await mailOf('password_reset');
    expect(sent.map(({ to }) => to)).toEqual([ada.user.email]);
  });

  it('gets few links an hour, for an account and from an address', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const json = { email: ada.user.email };
    for (let at = 0; at < 6; at += 1) {
      const headers = from(`192.0.2.${at}`);
      expect((await api.call('POST', '/api/auth/password-reset', { json, headers })).status).toBe(202);
    }
    await post('password-reset', { email: (await api.login()).user.email });
    await untilFound(() => sent.length === 4);
    const statuses: number[] = [];
    for (let at = 0; at < 11; at += 1) {
      statuses.push((await api.call('POST', '/api/auth/password-reset', { json, headers: from('192.0.2.99') })).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(202), 429]);
    expect(sent.filter(({ to }) => to === ada.user.email)).toHaveLength(3);
  });

  it('is not reset by a link that is no link, nor to a common password', async () => {
    await post('password-reset', { email: ada.user.email });
    const token = tokenIn(await mailOf('password_reset'));
    const common = await post('password-reset/confirm', { token, password: 'password123' });
    expect([common.status, common.body.code]).toEqual([400, 'validation_failed']);
    for (const wrong of ['x', `${token}x`, ada.user.id]) {
      const refused = await post('password-reset/confirm', { token: wrong, password });
      expect(refused.body.code).toBe('account_link_invalid');
    }
    expect((await post('password-reset/confirm', { token, password })).status).toBe(204);
  });

  it('sets no first password: an account of a provider alone gets no link', async () => {
    const grace = await signedInAt('grace@example.com');
    expect(grace.emailVerifiedAt).not.toBeNull(); // the provider has verified it
    expect((await post('password-reset', { email: grace.email })).status).toBe(202);
    await post('password-reset', { email: ada.user.email });
    await mailOf('password_reset');
    expect(sent.map(({ to }) => to)).toEqual([ada.user.email]);
  });

  it('is not reset where passwords are off, not even by a link of before', async () => {
    await post('password-reset', { email: ada.user.email });
    const token = tokenIn(await mailOf('password_reset'));
    Object.assign(api.options, { passwords: false });
    const refused = [
      await post('password-reset', { email: ada.user.email }),
      await post('password-reset/confirm', { token, password }),
    ];
    for (const { status, body } of refused) expect([status, body.code]).toEqual([401, 'password_login_disabled']);
    expect((await api.call('GET', '/api/server')).body.password_reset).toBe(false);
  });

  it('is tried again when the mail server is busy, and its secret is in no log and no row', async () => {
    answers = [{ kind: 'refused', reason: 'busy', canRetry: true }];
    await post('password-reset', { email: ada.user.email });
    const token = tokenIn(await mailOf('password_reset'));
    expect(JSON.stringify(api.logged)).not.toContain(token);
    expect(api.logged.some(({ fields }) => fields.reason === 'busy')).toBe(true);
    expect(await api.stores.accountLinks.isLive(token, 'password_reset')).toBe(false);
  });
});

describe('an e-mail address', () => {
  it('is verified by the link that registration sends', async () => {
    const registered = await post('register', { email: 'grace@example.com', password });
    expect(registered.body).toMatchObject({ email_verified_at: null });
    const mail = await mailOf('email_verification');
    expect(mail).toMatchObject({ to: 'grace@example.com', hours: 24 });
    expect((await post('email-verification/confirm', { token: tokenIn(mail) })).status).toBe(204);
    expect((await post('email-verification/confirm', { token: tokenIn(mail) })).body.code).toBe('account_link_invalid');
    const me = await post('login', { email: 'grace@example.com', password });
    expect(me.body.email_verified_at).toMatch(/Z$/);
  });

  it('is verified by a link that its user asks for, once', async () => {
    expect((await post('email-verification', undefined, ada)).status).toBe(202);
    await post('email-verification/confirm', { token: tokenIn(await mailOf('email_verification')) });
    expect((await post('email-verification', undefined, ada)).body).toMatchObject({ code: 'email_verified' });
  });

  it('is unverified after a change, of which the previous address gets a notice', async () => {
    const json = { email: 'grace@example.com', password, current_password: 'wrong' };
    expect((await api.call('PATCH', '/api/auth/me', { as: ada, json })).status).toBe(403);
    await api.stores.users.changeAccount(ada.user.id, {
      passwordHash: await hashOf('correct horse'),
      keep: ada.sessionId,
    });
    const right = { ...json, current_password: 'correct horse' };
    const changed = await api.call('PATCH', '/api/auth/me', { as: ada, json: right });
    expect(changed.body).toMatchObject({ email: 'grace@example.com', email_verified_at: null });
    expect(await mailOf('email_changed')).toMatchObject({ to: ada.user.email });
    expect(await mailOf('password_changed')).toMatchObject({ to: ada.user.email });
    expect(await mailOf('email_verification')).toMatchObject({ to: 'grace@example.com' });
  });

  it('names a new member only once it is verified', async () => {
    const { id } = await api.repo(ada);
    const grace = await api.login({ email: 'grace@example.com' });
    const add = () =>
      api.call('POST', `/api/repos/${id}/members`, { as: ada, json: { user: 'grace@example.com', role: 'viewer' } });
    expect((await add()).body).toMatchObject({
      code: 'user_not_found',
      detail: expect.stringContaining('verify the e-mail in their settings'),
    });
    await post('email-verification', undefined, grace);
    await post('email-verification/confirm', { token: tokenIn(await mailOf('email_verification')) });
    expect((await add()).status).toBe(200);
  });
});

it('says what to configure where no e-mail can be sent', async () => {
  await using quiet = await start();
  const grace = await quiet.login();
  const asked = [
    await quiet.call('POST', '/api/auth/password-reset', { json: { email: 'a@b.test' } }),
    await quiet.call('POST', '/api/auth/email-verification', { as: grace }),
  ];
  for (const { status, body } of asked) {
    expect([status, body.code, body.detail]).toEqual([
      409,
      'email_not_configured',
      expect.stringContaining('SMTP_URL'),
    ]);
  }
  const offered = async (of: RunningApi) => (await of.call('GET', '/api/server')).body.password_reset;
  expect([await offered(quiet), await offered(api)]).toEqual([false, true]);
});

/** An API token of a user. @returns its text */
async function tokenOf({ user }: Login): Promise<string> {
  const text = renderApiToken(crypto.getRandomValues(new Uint8Array(32)));
  const expiresAt = new Date(Date.now() + 3_600_000);
  await api.stores.apiTokens.create(aNewApiToken({ userId: user.id, expiresAt, hash: hashApiToken(text) }));
  return text;
}

/** Resets the password of a user by the link from an e-mail. */
async function resetOf({ user }: Login): Promise<void> {
  sent.length = 0;
  await post('password-reset', { email: user.email });
  const token = tokenIn(await mailOf('password_reset'));
  expect((await post('password-reset/confirm', { token, password })).status).toBe(204);
}

/** A new user whose only way to log in is an OpenID provider. */
async function signedInAt(email: string): Promise<User> {
  const account = { issuer: 'https://id.example.com', subject: email, email, name: null };
  const signedIn = await api.stores.oidcIdentities.signIn(
    account,
    { isOperator: false, roles: new Map(), others: new Set() },
    {
      id: newId<UserId>(),
      onlyIfFirst: false,
      firstIsOperator: false,
    },
  );
  if (!('user' in signedIn)) throw new Error('The user is not signed in.');
  return signedIn.user;
}

async function hashOf(text: string): Promise<string> {
  const { createPasswords } = await import('../src/identity/login/passwords.ts');
  return await createPasswords().hash(text);
}
