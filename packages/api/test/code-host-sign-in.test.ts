import { createHash } from 'node:crypto';
import { loginCodeOf } from '@sluice/core/account';
import type { CodeHostAccount } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';
import { settableClock } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFlowTokens } from '../src/identity/sign-in/flow-tokens.ts';
import { type Browser, openBrowser } from './browser.ts';
import { type ScriptedIdentity, scriptedIdentity } from './scripted-identity.ts';
import { type RunningApi, type Setup, startApi } from './start-api.ts';

const ada: CodeHostAccount = { id: '41', login: 'ada', name: 'Ada', avatarUrl: 'https://img.example.test/ada' };
const eve: CodeHostAccount = { id: '66', login: 'eve', name: null, avatarUrl: null };
const clock = settableClock(new Date());
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

let api: RunningApi;
let host: ScriptedIdentity;
const open = async (setup: Setup = {}) => {
  host = scriptedIdentity();
  const ports = { codehost: { identity: host, host: {} as never, webhooks: null } };
  api = await startApi({ clock, ports, ...setup });
};
const reopen = async (setup: Setup) => {
  await api[Symbol.asyncDispose]();
  await open(setup);
};
beforeEach(async () => open());
afterEach(async () => {
  // Whatever happened: no token and no code is in the log.
  expect(JSON.stringify(api.logged)).not.toMatch(/token-canary|code-\d/);
  await api[Symbol.asyncDispose]();
});

/** Begins in a browser, and gives the authorization URL. */
async function begin(browser: Browser): Promise<string> {
  const { status, body } = await browser.call('POST', '/api/auth/codehost');
  expect(status).toBe(200);
  return String(body.authorization_url);
}

async function signIn(browser: Browser, account: CodeHostAccount | null, accept?: string) {
  const back = host.walk(await begin(browser), account);
  return browser.call('GET', back, accept === undefined ? {} : { accept });
}

const me = async (browser: Browser) => (await browser.call('GET', '/api/auth/me')).body;
const flowCookies = (browser: Browser) =>
  [...browser.cookies.keys()].filter((name) => name.startsWith('codehost_flow_'));

async function registered(email = 'ada@example.com'): Promise<Browser> {
  const browser = openBrowser(api);
  const json = { email, password: 'correct horse battery' };
  expect((await browser.call('POST', '/api/auth/register', { json })).status).toBe(201);
  return browser;
}

describe('beginning', () => {
  it('gives an address with a state that shows nothing, and keeps the other half in a cookie for the callback alone', async () => {
    const browser = openBrowser(api);
    const answer = await browser.call('POST', '/api/auth/codehost');
    const asked = new URL(String(answer.body.authorization_url)).searchParams;
    expect(asked.get('redirect_uri')).toBe(`${api.url}/api/auth/codehost/callback`);
    expect(asked.get('challenge')).toMatch(/^[\w-]{43}$/);
    expect(asked.get('state')?.split('.')).toHaveLength(5); // a JWE: encrypted, not only signed
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^codehost_flow_[\w-]{8}=[\w.-]+; Max-Age=600; Path=\/api\/auth\/codehost; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect(browser.cookieFor('/api/issues')).toBe('');
  });

  it('refuses whatever a request would like to have in the address', async () => {
    const query = '?client_id=evil&redirect_uri=http://evil.example.test/';
    const answer = await openBrowser(api).call('POST', `/api/auth/codehost${query}`);
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('authorization_url');
    const inBody = await openBrowser(api).call('POST', '/api/auth/codehost', { json: { redirect_uri: 'http://evil' } });
    expect(inBody.status).toBe(400);
  });

  it('keeps few flows: the oldest end', async () => {
    const browser = openBrowser(api);
    for (let flow = 0; flow < 7; flow += 1) await begin(browser);
    expect(flowCookies(browser)).toHaveLength(4);
    expect((await signIn(browser, ada)).status).toBe(302);
  });

  it('is limited by address', async () => {
    const answers = await Promise.all(Array.from({ length: 21 }, () => api.call('POST', '/api/auth/codehost')));
    expect(answers.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('logging in', () => {
  it('creates a user for the account and redirects to the issues', async () => {
    const browser = openBrowser(api);
    const answer = await signIn(browser, ada);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/issues']);
    expect(answer.text).toBe('');
    expect(flowCookies(browser)).toEqual([]);
    expect(await me(browser)).toMatchObject({
      email: null,
      name: 'Ada',
      avatar_url: 'https://img.example.test/ada',
      codehost_id: '41',
      codehost_login: 'ada',
    });
  });

  it('gives the token of the last sign-in back, which is not kept any more, whether or not the host takes it', async () => {
    await signIn(openBrowser(api), ada);
    await signIn(openBrowser(api), eve);
    expect(host.revoked).toEqual([]);
    await signIn(openBrowser(api), ada);
    expect(host.revoked).toEqual([host.tokens[0]]);
    host.revoke = async () => {
      throw new AppError('codehost_unavailable');
    };
    const answer = await signIn(openBrowser(api), ada);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/issues']);
    expect(api.logged.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });

  it('keeps the token that was written down, where no session comes of it any more', async () => {
    const browser = openBrowser(api);
    await signIn(browser, ada);
    const { id } = await me(browser);
    const { revoke } = host;
    host.revoke = async (token, signal) => {
      await api.stores.users.disable(id as UserId);
      await revoke(token, signal);
    };
    const answer = await signIn(openBrowser(api), ada);
    expect([answer.status, answer.body.code]).toEqual([403, 'account_disabled']);
    expect(host.revoked).toEqual([host.tokens[0]]);
  });

  it('finds the same user again by the id of the account, under whatever login', async () => {
    const first = openBrowser(api);
    await signIn(first, ada);
    const second = openBrowser(api);
    await signIn(second, { ...ada, login: 'countess' });
    expect((await me(second)).id).toBe((await me(first)).id);
    expect((await me(second)).codehost_login).toBe('countess');
  });

  it('never gives access to the user of another e-mail or login', async () => {
    const owner = await registered('ada@example.com');
    const thief = openBrowser(api);
    await signIn(thief, { ...eve, login: 'ada@example.com', name: 'ada@example.com' });
    expect((await me(thief)).id).not.toBe((await me(owner)).id);
    expect((await me(thief)).email).toBeNull();
  });

  it('encrypts the token for its user', async () => {
    const browser = openBrowser(api);
    await signIn(browser, ada);
    const { id } = await me(browser);
    const grant = await api.stores.codehostLinks.grant(id as never);
    expect(JSON.stringify(grant)).not.toContain('token-canary');
    const signal = new AbortController().signal;
    expect(await api.deps.codehostTokens?.of(id as never, signal)).toBe('token-canary-0');
  });

  it.each([
    ['closed', 0, 403],
    ['first-user', 0, 302],
    ['first-user', 1, 403],
    ['open', 1, 302],
  ] as const)('with registration %s and %i users answers a new account %i', async (registration, users, status) => {
    await reopen({ registration });
    if (users > 0) await api.login();
    const browser = openBrowser(api);
    const answer = await signIn(browser, ada);
    expect(answer.status).toBe(status);
    if (status === 302) return;
    expect(answer.body.code).toBe('registration_closed');
    expect(host.revoked).toEqual(host.tokens);
    expect(browser.cookies.size).toBe(0);
  });

  it('lets a known account in where registration is closed', async () => {
    await signIn(openBrowser(api), ada);
    Object.assign(api.options, { registration: 'closed' });
    expect((await signIn(openBrowser(api), ada)).status).toBe(302);
  });

  it('makes one user of two callbacks of the same account at the same instant', async () => {
    const browsers = [openBrowser(api), openBrowser(api), openBrowser(api)];
    const backs = await Promise.all(browsers.map(async (browser) => host.walk(await begin(browser), ada)));
    await Promise.all(browsers.map((browser, at) => browser.call('GET', backs[at] ?? '')));
    const ids = await Promise.all(browsers.map(async (browser) => (await me(browser)).id));
    expect(new Set(ids).size).toBe(1);
  });

  it('lets two tabs of a browser sign in at the same time, whichever comes back first', async () => {
    const browser = openBrowser(api);
    const tabs = [await begin(browser), await begin(browser)];
    const [first = '', second = ''] = tabs.map((url) => host.walk(url, ada));
    expect((await browser.call('GET', second)).headers.get('location')).toBe('/issues');
    const session = browser.cookies.get('access_token')?.value;
    expect((await browser.call('GET', first)).headers.get('location')).toBe('/issues');
    expect(host.revoked).toEqual([host.tokens[1]]); // the one that is not kept
    expect(browser.cookies.get('access_token')?.value).toBe(session);
    expect(flowCookies(browser)).toEqual([]);
  });
});

describe('linking', () => {
  it('links the account to the user and keeps the session', async () => {
    const browser = await registered();
    const before = browser.cookies.get('access_token')?.value;
    const answer = await signIn(browser, ada);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/settings?linked=codehost']);
    expect(answer.headers.getSetCookie().filter((line) => line.startsWith('access_token'))).toEqual([]);
    expect(browser.cookies.get('access_token')?.value).toBe(before);
    expect(await me(browser)).toMatchObject({ email: 'ada@example.com', codehost_id: '41', codehost_login: 'ada' });
  });

  it('answers 409 for an account of another user, changes nothing and revokes the token', async () => {
    await signIn(openBrowser(api), ada);
    const browser = await registered('eve@example.com');
    const answer = await signIn(browser, ada);
    expect([answer.status, answer.body.code]).toEqual([409, 'codehost_account_taken']);
    expect(await me(browser)).toMatchObject({ codehost_id: null });
    expect(host.revoked).toEqual([host.tokens.at(-1)]);
    expect(flowCookies(browser)).toEqual([]);
  });

  it('answers 409 for a second account, and takes the same one again', async () => {
    const browser = await registered();
    await signIn(browser, ada);
    expect((await signIn(browser, eve)).body.code).toBe('codehost_linked_to_another');
    expect((await signIn(browser, ada)).headers.get('location')).toBe('/settings?linked=codehost');
  });

  it('is refused when the session was swapped meanwhile, or ended', async () => {
    const browser = await registered();
    const back = host.walk(await begin(browser), ada);
    const other = await registered('eve@example.com');
    browser.setCookie(`access_token=${other.cookies.get('access_token')?.value}; Path=/`);
    expect((await browser.call('GET', back)).body.code).toBe('codehost_state_invalid');
    expect(await me(other)).toMatchObject({ codehost_id: null });

    const second = host.walk(await begin(browser), ada);
    browser.setCookie('access_token=; Max-Age=0');
    expect((await browser.call('GET', second)).status).toBe(400);
    expect(browser.cookies.size).toBe(0);
  });

  it('does not result from a login that ends in the session of another user', async () => {
    const browser = openBrowser(api);
    const back = host.walk(await begin(browser), eve);
    const victim = await registered();
    browser.setCookie(`access_token=${victim.cookies.get('access_token')?.value}; Path=/`);
    const answer = await browser.call('GET', back);
    expect([answer.status, answer.body.code]).toEqual([400, 'codehost_state_invalid']);
    expect(await me(victim)).toMatchObject({ codehost_id: null });
    expect(host.revoked).toEqual(host.tokens);
  });
});

describe('a callback that is not what was begun', () => {
  const refused = { status: 400, body: { code: 'codehost_state_invalid' } };

  it('is refused the second time, and logs in only once', async () => {
    const browser = openBrowser(api);
    const url = await begin(browser);
    const flow = browser.cookieFor('/api/auth/codehost/callback');
    const back = host.walk(url, ada);
    expect((await browser.call('GET', back)).status).toBe(302);
    const again = await api.call('GET', back, { headers: { cookie: flow } });
    expect(again).toMatchObject(refused);
    expect(host.exchanges).toHaveLength(1);
  });

  it('is refused in another browser, also with a flow of its own', async () => {
    const attacker = openBrowser(api);
    const back = host.walk(await begin(attacker), eve);
    const victim = openBrowser(api);
    expect(await victim.call('GET', back)).toMatchObject(refused);
    await begin(victim);
    expect(await victim.call('GET', back)).toMatchObject(refused);
    expect(victim.cookies.has('access_token')).toBe(false);
    expect(host.exchanges).toEqual([]);
  });

  it('is refused with the cookie of another flow under the name of its own', async () => {
    const browser = openBrowser(api);
    const back = host.walk(await begin(browser), eve);
    const [name = ''] = flowCookies(browser);
    const other = openBrowser(api);
    await begin(other);
    const [stolen = ''] = [...other.cookies.values()].map(({ value }) => value);
    browser.setCookie(`${name}=${stolen}; Path=/api/auth/codehost`);
    expect(await browser.call('GET', back)).toMatchObject(refused);
  });

  it('is refused after ten minutes', async () => {
    const browser = openBrowser(api);
    const back = host.walk(await begin(browser), ada);
    clock.advance(600_000);
    expect(await browser.call('GET', back)).toMatchObject(refused);
  });

  it.each([
    ['without a state', '?code=code-0'],
    ['with an empty one', '?code=code-0&state='],
    ['with one that is none', '?code=code-0&state=abc.def.ghi'],
    ['with a very long one', `?code=code-0&state=${'x'.repeat(3_999)}`],
    ['with nothing at all', ''],
    ['with two states', '?code=code-0&state=a&state=b'],
    ['with a state of several lines', '?code=code-0&state=a%0Ab'],
  ])('is refused %s', async (_what, query) => {
    expect(await openBrowser(api).call('GET', `/api/auth/codehost/callback${query}`)).toMatchObject(refused);
  });

  it('is refused with one bit of the state changed, and with a session for a state', async () => {
    const browser = await registered();
    const url = new URL(await begin(browser));
    const state = url.searchParams.get('state') ?? '';
    const forged = [
      state.slice(0, -2) + (state.endsWith('A') ? 'BB' : 'AA'),
      browser.cookies.get('access_token')?.value ?? '',
      browser.cookieFor('/api/auth/codehost').split('codehost_flow_')[1]?.slice(9) ?? '',
    ];
    for (const one of forged) {
      const path = `/api/auth/codehost/callback?code=code-0&state=${one}`;
      expect(await browser.call('GET', path)).toMatchObject(refused);
    }
    expect(host.exchanges).toEqual([]);
  });

  it("passes only the host's own parameters back to it", async () => {
    const browser = openBrowser(api);
    const back = host.walk(await begin(browser), ada);
    await browser.call('GET', `${back}&redirect_uri=http://evil.example.test/&next=http://evil.example.test/`);
    expect(host.exchanges[0]?.redirectUri).toBe(`${api.url}/api/auth/codehost/callback`);
  });
});

describe('a failure', () => {
  it.each([
    ['codehost_denied', 403],
    ['codehost_unavailable', 502],
    ['codehost_state_invalid', 400],
  ] as const)('%s is answered %i, and ends the flow and its cookie', async (code, status) => {
    const browser = openBrowser(api);
    const back = host.walk(await begin(browser), ada);
    host.fail(new AppError(code));
    const answer = await browser.call('GET', back);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(browser.cookies.size).toBe(0);
    expect((await browser.call('GET', back)).status).toBe(400);
  });

  it('of a user who denied access is 403', async () => {
    const answer = await signIn(openBrowser(api), null);
    expect([answer.status, answer.body.code]).toEqual([403, 'codehost_denied']);
  });

  it('is shown where the user began: at the login or in the settings', async () => {
    const stranger = openBrowser(api);
    const denied = await signIn(stranger, null, HTML);
    expect([denied.status, denied.headers.get('location')]).toEqual([302, '/login?error=codehost_denied']);
    expect(stranger.cookies.size).toBe(0);

    await signIn(openBrowser(api), ada);
    const browser = await registered('eve@example.com');
    const taken = await signIn(browser, ada, HTML);
    expect(taken.headers.get('location')).toBe('/settings?error=codehost_account_taken');
    expect(browser.cookies.has('access_token')).toBe(true);

    const nonsense = await browser.call('GET', '/api/auth/codehost/callback?state=x', { accept: HTML });
    expect(nonsense.headers.get('location')).toBe('/login?error=codehost_state_invalid');
  });

  it('that is unexpected reveals nothing, and is in the log', async () => {
    for (const accept of ['application/json', HTML]) {
      host.fail(new Error('a secret of ours'));
      const answer = await signIn(openBrowser(api), ada, accept);
      expect(answer.text).not.toContain('secret');
      expect(answer.headers.get('location') ?? answer.body.code).toMatch(/internal$/);
      expect(api.logged.filter(({ level }) => level === 'error')).toHaveLength(accept === HTML ? 2 : 1);
    }
  });

  it('of the host is in the log, for the operator', async () => {
    host.fail(new AppError('codehost_unavailable'));
    await signIn(openBrowser(api), ada, HTML);
    expect(api.logged.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });
});

describe('unlinking', () => {
  it('answers 204, forgets the account and revokes the token', async () => {
    const browser = await registered();
    await signIn(browser, ada);
    expect((await browser.call('DELETE', '/api/auth/codehost')).status).toBe(204);
    expect(await me(browser)).toMatchObject({ codehost_id: null, codehost_login: null });
    expect(host.revoked).toEqual(['token-canary-0']);
    const again = await browser.call('DELETE', '/api/auth/codehost');
    expect([again.status, again.body.code]).toEqual([409, 'codehost_not_linked']);
  });

  it('is refused where the user could not log in without it, and keeps the token', async () => {
    const browser = openBrowser(api);
    await signIn(browser, ada);
    const answer = await browser.call('DELETE', '/api/auth/codehost');
    expect([answer.status, answer.body.code]).toEqual([409, 'codehost_only_login']);
    expect(await me(browser)).toMatchObject({ codehost_id: '41' });
    expect(host.revoked).toEqual([]);
  });

  it('does not wait for a host that is away', async () => {
    const browser = await registered();
    await signIn(browser, ada);
    host.fail(new AppError('codehost_unavailable'));
    expect((await browser.call('DELETE', '/api/auth/codehost')).status).toBe(204);
    expect(await me(browser)).toMatchObject({ codehost_id: null });
  });

  it('lets another user have the account', async () => {
    const first = await registered();
    await signIn(first, ada);
    await first.call('DELETE', '/api/auth/codehost');
    const second = await registered('eve@example.com');
    expect((await signIn(second, ada)).headers.get('location')).toBe('/settings?linked=codehost');
  });
});

describe("a program on the user's machine", () => {
  const verifier = 'v'.repeat(50);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const path = `/api/auth/codehost/cli?port=49152&challenge=${challenge}&state=state-of-the-program`;

  /** What the page asks, and where its click goes. */
  async function asked(browser: Browser): Promise<{ code: string; click: string }> {
    const page = await browser.call('GET', path, { accept: HTML });
    expect(page.status).toBe(200);
    const [, code = ''] = /<output>(.*)<\/output>/.exec(page.text) ?? [];
    const [, url = ''] = /<form method="post" action="([^"]*)">/.exec(page.text) ?? [];
    return { code, click: new URL(url).pathname };
  }

  async function granted(browser: Browser, account: CodeHostAccount | null = ada): Promise<URL> {
    const begun = await browser.call('POST', (await asked(browser)).click, { accept: HTML });
    expect(begun.status).toBe(302);
    const ended = await browser.call('GET', host.walk(begun.headers.get('location') ?? '', account), { accept: HTML });
    expect(ended.status).toBe(302);
    return new URL(ended.headers.get('location') ?? '');
  }
  const trade = (json: object) => openBrowser(api).call('POST', '/api/auth/codehost/cli', { json });

  it('gets a grant through the browser, which is not logged in by it, and trades it for a session', async () => {
    const browser = openBrowser(api);
    const url = await granted(browser);
    expect([url.origin, url.pathname]).toEqual(['http://127.0.0.1:49152', '/']);
    expect(url.searchParams.get('state')).toBe('state-of-the-program');
    expect(browser.cookies.size).toBe(0);
    const program = openBrowser(api);
    const json = { grant: url.searchParams.get('grant'), verifier };
    const answer = await program.call('POST', '/api/auth/codehost/cli', { json });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ codehost_login: 'ada' });
    expect(await me(program)).toEqual(answer.body);
  });

  it('trades it once, with its own verifier alone, within a minute', async () => {
    const grantOf = async () => (await granted(openBrowser(api))).searchParams.get('grant');
    const used = { grant: await grantOf(), verifier };
    expect((await trade(used)).status).toBe(200);
    expect((await trade(used)).body.code).toBe('codehost_state_invalid');

    const stolen = await grantOf();
    expect((await trade({ grant: stolen, verifier: 'x'.repeat(50) })).body.code).toBe('codehost_state_invalid');
    expect((await trade({ grant: stolen, verifier })).status).toBe(400);

    const late = await grantOf();
    clock.advance(60_000);
    expect((await trade({ grant: late, verifier })).status).toBe(400);
  });

  it('is asked about first, with the code that it shows itself, on a page that cannot be framed or injected', async () => {
    const browser = openBrowser(api);
    const page = await browser.call('GET', path, { accept: HTML });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect((await asked(browser)).code).toBe(loginCodeOf(challenge));
    expect(page.text).toContain(`logged in at 127.0.0.1:${api.port} as`);
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.headers.get('referrer-policy')).toBe('strict-origin');
    expect(page.headers.get('cache-control')).toBe('no-store');
    // To look at it begins nothing.
    expect([browser.cookies.size, page.headers.get('location')]).toEqual([0, null]);
    expect(page.text).not.toContain('codehost.example.test');
    expect(page.text).not.toContain(challenge);
  });

  it('is asked about at the name that the code host sends back to, whichever the browser came by', async () => {
    const byName = path.replace('/api', `http://localhost:${api.port}/api`);
    const { confirm_url } = (await (await fetch(byName)).json()) as { confirm_url: string };
    expect(confirm_url.startsWith(`${api.url}/api/auth/codehost/cli/confirm/`)).toBe(true);
    const answer = await fetch(confirm_url, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: `http://localhost:${api.port}`, 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.status).toBe(302);
  });

  it('is accepted only after a click on our own page', async () => {
    await reopen({ corsOrigins: ['https://console.example.test'] });
    const { click } = await asked(openBrowser(api));
    const from = (headers: Record<string, string>) => api.call('POST', click, { headers });
    for (const origin of ['https://evil.example.test', 'https://console.example.test', 'null']) {
      const answer = await from({ origin });
      expect([answer.status, answer.body.code]).toEqual([403, 'origin_refused']);
      expect([answer.headers.get('location'), answer.headers.getSetCookie()]).toEqual([null, []]);
    }
    expect((await from({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await from({ origin: api.url })).status).toBe(302);
    expect((await api.call('GET', click)).status).toBe(405);
    const byTrpc = await api.call('POST', '/api/trpc/auth.codehost.cli.confirm', {
      headers: { origin: 'https://console.example.test' },
      json: { program: click.split('/').at(-1) },
    });
    expect(byTrpc.status).toBe(403);
    expect([byTrpc.headers.get('location'), byTrpc.headers.getSetCookie()]).toEqual([null, []]);
  });

  it('is not accepted without a request from our page', async () => {
    const { click } = await asked(openBrowser(api));
    const another = createFlowTokens(new Uint8Array(32).fill(8), 'codehost');
    const foreign = await another.sealProgram({ port: 49_152, challenge, state: 'state-of-the-program' });
    const own = createFlowTokens(api.options.sessionSecret, 'codehost');
    const state = await own.sealState({ nonce: 'n', purpose: 'program', sessionId: null, endsAt: clock.now() });
    const last = click.split('/').at(-1) ?? '';
    for (const program of ['x', foreign, state, `${last.slice(0, -3)}AAA`, 'x'.repeat(4_000)]) {
      const answer = await api.call('POST', `/api/auth/codehost/cli/confirm/${program}`);
      expect([answer.status, answer.body.code]).toEqual([400, 'codehost_state_invalid']);
    }
  });

  it.each(['cross-site', 'same-site'])('is not even asked about by a page that is %s', async (site) => {
    const answer = await api.call('GET', path, { headers: { accept: HTML, 'sec-fetch-site': site } });
    expect([answer.status, answer.body.code]).toEqual([403, 'origin_refused']);
    const typed = await api.call('GET', path, { headers: { accept: HTML, 'sec-fetch-site': 'none' } });
    expect(typed.status).toBe(200);
  });

  it('gets the reason of a failure', async () => {
    const url = await granted(openBrowser(api), null);
    expect(Object.fromEntries(url.searchParams)).toEqual({ error: 'codehost_denied', state: 'state-of-the-program' });
  });

  it('uses the account, whichever user is logged in in the browser, and keeps that session', async () => {
    const browser = await registered('eve@example.com');
    const session = browser.cookies.get('access_token')?.value;
    const grant = (await granted(browser)).searchParams.get('grant');
    expect((await trade({ grant, verifier })).body).toMatchObject({ email: null, codehost_login: 'ada' });
    expect(browser.cookies.get('access_token')?.value).toBe(session);
    expect(await me(browser)).toMatchObject({ codehost_id: null });
  });

  it.each([
    ['port=80', 'port=49152'],
    ['port=127.0.0.1.evil.example.test', 'port=49152'],
    ['challenge=short', `challenge=${challenge}`],
    ['state=a%0d%0ab', 'state=state-of-the-program'],
    ['port=49152&redirect_uri=x', 'port=49152'],
  ])('is not begun with %s', async (wrong, right) => {
    const answer = await openBrowser(api).call('GET', path.replace(right, wrong));
    expect(answer.status).toBe(400);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});
