import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { AccountMail } from '@sluice/core/account';
import type { RepoId, UserId } from '@sluice/core/id';
import { migratedDatabase } from '@sluice/db/scratch';
import { eventually, newId, type PostgresDatabases, settableClock, sharedPostgres } from '@sluice/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStream } from './feed/open-stream.ts';
import { openStoresAt } from './open-stores-at.ts';
import { enrollApp, limiter, PASSWORD, userWithPassword } from './second-factor-user.ts';
import { type Answer, type Login, type RunningApi, startApi } from './start-api.ts';

const MINUTE_MS = 60_000;
const clock = settableClock(new Date());
const mails: (AccountMail & { to: string })[] = [];
const accountMailer = {
  send: async (to: string, mail: AccountMail) => {
    mails.push({ to, ...mail });
    return { kind: 'accepted' } as const;
  },
  close: () => undefined,
};

let api: RunningApi;
let ada: Login & { email: string };
beforeEach(async () => {
  mails.length = 0;
  api = await startApi({ clock, ports: { accountMailer, limiter: limiter() } });
  await api.login(); // the operator
  ada = await userWithPassword(api);
});
afterEach(() => api[Symbol.asyncDispose]());

const remove = (as: Login, json: object = { current_password: PASSWORD }) =>
  api.call('POST', '/api/auth/me/deletion', { as, json });
const codeOf = ({ status, body }: Answer) => [status, body?.code];
const isLoggedIn = async (as: Login) => (await api.call('GET', '/api/auth/me', { as })).status === 200;

async function admin(repoId: string): Promise<Login> {
  const member = await api.login({ name: 'Grace' });
  await api.stores.members.put({ repoId: repoId as RepoId, userId: member.user.id, role: 'admin', origin: 'added' });
  return member;
}

/** A user whose only way to log in is an OpenID provider, in a new session. */
async function signedInAtProvider(): Promise<Login> {
  const account = { issuer: 'https://id.example.com', subject: newId(), email: null, name: 'Joan' };
  const grants = { isOperator: false, roles: new Map(), others: new Set<never>() };
  const newUser = { id: newId<UserId>(), onlyIfFirst: false, firstIsOperator: false };
  const signedIn = await api.stores.oidcIdentities.signIn(account, grants, newUser);
  if (!('user' in signedIn)) throw new Error('The user is not signed in.');
  return await api.otherSession({ ...ada, user: signedIn.user });
}

describe('the deletion of an account', () => {
  it('says beforehand what becomes of its things, does just that, and clears the cookie', async () => {
    const [shared, alone] = [await api.repo(ada), await api.repo(ada, { access_token: 'a token for the remote' })];
    const grace = await admin(shared.id);
    const [kept, gone] = [await api.issue(ada, { repo_id: shared.id }), await api.issue(ada, { repo_id: alone.id })];
    const said = await api.call('GET', '/api/auth/me/deletion', { as: ada });
    expect(said.body).toEqual({
      proof: 'password',
      last_operator: false,
      issues_to_cancel: 2,
      issues_kept: 1,
      repos: [
        { id: alone.id, name: alone.name, heir: null, issues: 1, issues_of_others: 0, token_dropped: true },
        {
          id: shared.id,
          name: shared.name,
          heir: { user_id: grace.user.id, name: 'Grace', codehost_login: null },
          issues: 1,
          issues_of_others: 0,
          token_dropped: false,
        },
      ],
    });
    const done = await remove(ada);
    expect([done.status, done.text]).toEqual([204, '']);
    expect(done.headers.get('set-cookie')).toMatch(/^access_token=; Max-Age=0/);
    expect(await isLoggedIn(ada)).toBe(false);
    expect((await api.call('GET', `/api/issues/${kept.id}`, { as: grace })).body).toMatchObject({
      status: 'cancelled',
      created_by: ada.user.id,
    });
    expect((await api.call('GET', `/api/repos/${shared.id}`, { as: grace })).body).toMatchObject({ role: 'admin' });
    for (const path of [`/api/issues/${gone.id}`, `/api/repos/${alone.id}`]) {
      expect((await api.call('GET', path, { as: grace })).status).toBe(404);
    }
    await eventually(() => expect(mails).toMatchObject([{ to: ada.email, kind: 'account_deleted' }]));
  });

  it('ends every session, token and open stream, and frees the e-mail for a new account', async () => {
    const other = await api.otherSession(ada);
    await using stream = await openStream(`${api.url}/api/events`, { cookie: other.cookie });
    expect((await remove(ada)).status).toBe(204);
    expect(await stream.ended).toBe('closed');
    for (const one of [ada, other]) expect(await isLoggedIn(one)).toBe(false);
    const json = { email: ada.email, password: PASSWORD };
    expect((await api.call('POST', '/api/auth/login', { json })).body.code).toBe('bad_credentials');
    const registered = await api.call('POST', '/api/auth/register', { json });
    expect([registered.status, registered.body.id === ada.user.id]).toEqual([201, false]);
    const [cookie = ''] = registered.headers.getSetCookie();
    const [repos, issues] = [
      await api.call('GET', '/api/repos', { headers: { cookie } }),
      await api.call('GET', '/api/issues', { headers: { cookie } }),
    ];
    expect([repos.body.items, issues.body.items]).toEqual([[], []]);
  });

  it('needs the current password, which a wrong or a missing one is not', async () => {
    for (const json of [{ current_password: 'wrong' }, {}]) {
      expect(codeOf(await remove(ada, json))).toEqual([403, 'password_wrong']);
    }
    expect(await isLoggedIn(ada)).toBe(true);
    expect((await remove(ada)).status).toBe(204);
  });

  it('needs the second factor too, in a second step of the same session', async () => {
    const app = await enrollApp(api, ada, () => clock.now().getTime());
    const asked = await remove(ada);
    expect(codeOf(asked)).toEqual([401, 'second_factor_required']);
    expect(asked.body.second_factors).toEqual(['totp', 'recovery_code']);
    const { challenge } = asked.body;
    const step = (code: string) => ({ challenge, second_factor: { kind: 'totp', code } });
    expect(codeOf(await remove(ada, { challenge }))).toEqual([400, 'validation_failed']);
    expect(codeOf(await remove(ada, step('000000')))).toEqual([401, 'second_factor_wrong']);
    const elsewhere = await api.otherSession(ada);
    expect(codeOf(await remove(elsewhere, step(app.code(1))))).toEqual([401, 'second_factor_challenge_invalid']);
    const login = await api.call('POST', '/api/auth/login', { json: step(app.code(1)) });
    expect(codeOf(login)).toEqual([401, 'second_factor_challenge_invalid']);
    expect(await isLoggedIn(ada)).toBe(true);
    expect((await remove(ada, step(app.code(1)))).status).toBe(204);
  });

  it('needs a recent sign-in where the account has no password', async () => {
    const joan = await signedInAtProvider();
    expect((await api.call('GET', '/api/auth/me/deletion', { as: joan })).body.proof).toBe('recent_sign_in');
    clock.advance(11 * MINUTE_MS);
    expect(codeOf(await remove(joan, {}))).toEqual([403, 'sign_in_not_recent']);
    const again = await api.otherSession(joan);
    expect((await remove(again, {})).status).toBe(204);
    expect(await api.stores.oidcIdentities.list(joan.user.id)).toEqual([]);
  });

  it('goes by a recent sign-in where passwords are off, whatever password was set before', async () => {
    Object.assign(api.options, { passwords: false });
    clock.advance(11 * MINUTE_MS);
    expect(codeOf(await remove(ada))).toEqual([403, 'sign_in_not_recent']);
    expect((await remove(await api.otherSession(ada), {})).status).toBe(204);
  });

  it('is refused to the last operator, and says what to do', async () => {
    await api.stores.users.grantOperator(ada.user.id);
    const { items } = await api.stores.users.accounts({ limit: 9, cursor: null });
    for (const { user } of items) if (user.id !== ada.user.id) await api.stores.users.revokeOperator(user.id);
    const refused = await remove(ada);
    expect(codeOf(refused)).toEqual([409, 'last_operator']);
    expect((await api.call('GET', '/api/auth/me/deletion', { as: ada })).body.last_operator).toBe(true);
    expect(await isLoggedIn(ada)).toBe(true);
  });

  it('is not for API tokens', async () => {
    const answer = await api.call('POST', '/api/auth/me/deletion', { json: { current_password: PASSWORD } });
    expect(codeOf(answer)).toEqual([401, 'session_missing']);
  });

  it('is done once for two requests at the same time', async () => {
    await api.repo(ada);
    const answers = await Promise.all([remove(ada), remove(ada)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401]);
    const { items } = await api.stores.audit.list(ada.user.id, { limit: 50, cursor: null });
    expect(items.filter(({ act }) => act.action === 'account.deleted')).toHaveLength(1);
  });
});

describe.each(['SQLite', 'Postgres'])('a process that is killed between two repositories, over %s', (engine) => {
  const children: ChildProcess[] = [];
  let folder: string;
  let postgres: PostgresDatabases | null;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-deletion-'));
    postgres = engine === 'Postgres' ? await sharedPostgres() : null;
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await postgres?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  it('leaves an account whose user logs in and asks again', async () => {
    const place = postgres === null ? folder : await migratedDatabase(postgres);
    const script = fileURLToPath(new URL('./serve-until-killed.ts', import.meta.url));
    const child = spawn(process.execPath, [script, place, 'between'], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const ended = once(child, 'exit');
    const { value: port } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
    const url = `http://127.0.0.1:${port}`;
    const post = async (path: string, json: object, cookie = '') =>
      await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(json),
      });
    const signUp = (email: string) => post('/api/auth/register', { email, password: PASSWORD });
    await signUp('operator@example.com');
    const cookie = (await signUp('ada@example.com')).headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    for (const name of ['anvil', 'bellows']) {
      await post('/api/repos', { url: `https://example.test/acme/${name}` }, cookie);
    }
    await expect(post('/api/auth/me/deletion', { current_password: PASSWORD }, cookie)).rejects.toThrow();
    expect((await ended)[1]).toBe('SIGKILL');

    await using next = await startApi({ openStores: (options) => openStoresAt(place, options) });
    const headers = { cookie };
    expect((await next.call('GET', '/api/repos', { headers })).body.items).toHaveLength(1);
    const json = { current_password: PASSWORD };
    expect((await next.call('POST', '/api/auth/me/deletion', { headers, json })).status).toBe(204);
    expect((await next.call('GET', '/api/auth/me', { headers })).status).toBe(401);
  });
});
