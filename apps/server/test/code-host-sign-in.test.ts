import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeCodeHost, startCodeHost } from '@sluice/fake-code-host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rotateKeys } from '../src/admin/rotate-keys.ts';
import { callbackOf, codehostEnvironment, signInAt } from './code-host-scene.ts';
import { continueSession, type HttpSession, signUp } from './http-session.ts';
import { startScratchServer } from './scratch-server.ts';
import { type SharedServices, sharedServices } from './shared-services.ts';

async function aHost() {
  const host = await startCodeHost();
  for (const login of ['ann', 'eve']) host.addUser({ login, name: login, email: `${login}@example.com` });
  return host;
}

const stranger = (url: string): HttpSession => continueSession(url, new Map());

/** Begins a sign-in, goes through the code host, and gives the callback's path and query. */
async function walk(session: HttpSession, host: FakeCodeHost, login: string): Promise<string> {
  const { body } = await session.call<{ authorization_url: string }>('POST', '/api/auth/codehost');
  const back = new URL(await host.walkSignIn(body.authorization_url, { login }));
  return back.pathname + back.search;
}

const profile = async (session: HttpSession) => (await session.call('GET', '/api/auth/me')).body;

describe('a sign-in at a code host', () => {
  it('writes no token, code or secret to a log line, a body or a plain column', async () => {
    await using host = await aHost();
    await using server = await startScratchServer({ ...codehostEnvironment(host), LOG_LEVEL: 'trace' });
    host.allowRedirectTo(callbackOf(server.url));
    const said: unknown[] = [];
    const ann = await signInAt(server.url, host, 'ann');
    said.push(await profile(ann));
    for (const fault of [
      { kind: 'reset' },
      { kind: 'shape', value: { access_token: 'canary', token_type: 'mac' } },
    ] as const) {
      const session = stranger(server.url);
      const back = await walk(session, host, 'eve');
      host.arm({ on: 'POST /login/oauth/access_token', fault });
      const answer = await session.call('GET', back);
      expect([answer.status, answer.body.code]).toEqual([502, 'codehost_unavailable']);
      said.push(answer.body, [...answer.headers]);
    }
    const kept = readdirSync(server.dataDir)
      .filter((name) => name !== 'secrets.json' && /\.|log/.test(name))
      .map((name) => readFileSync(join(server.dataDir, name), 'latin1'));
    const all = JSON.stringify(said) + kept.join();
    for (const known of ['a sign-in at the code host failed', 'SQLite format 3']) expect(kept.join()).toContain(known);
    const { CODEHOST_WEBHOOK_SECRET = '' } = codehostEnvironment(host);
    for (const secret of [...host.secrets(), CODEHOST_WEBHOOK_SECRET, 'canary']) expect(all).not.toContain(secret);
  });

  it('signs no one in as the user who registered with the e-mail of that account', async () => {
    await using host = await aHost();
    await using server = await startScratchServer(codehostEnvironment(host));
    const owner = await signUp(server.url, 'ann@example.com');
    const ann = await signInAt(server.url, host, 'ann');
    expect((await profile(ann)).id).not.toBe((await profile(owner)).id);
  });

  it('survives a restart, and its token is revoked at the host when the account is unlinked', async () => {
    await using host = await aHost();
    await using server = await startScratchServer({ ...codehostEnvironment(host), PORT: '0' });
    const person = await signUp(server.url);
    host.allowRedirectTo(callbackOf(server.url));
    const linked = await person.call('GET', await walk(person, host, 'ann'));
    expect(linked.headers.get('location')).toBe('/settings?linked=codehost');
    await using again = await server.restart();
    expect((await person.at(again.url).call('DELETE', '/api/auth/codehost')).status).toBe(204);
    const revocation = host.requests.find(({ method }) => method === 'DELETE');
    expect([revocation?.path, revocation?.status]).toEqual([`/applications/${host.clientId}/token`, 204]);
  });
});

describe('with several processes on Postgres', () => {
  let services: SharedServices;
  beforeAll(async () => {
    services = await sharedServices();
  });
  afterAll(async () => services[Symbol.asyncDispose]());

  const PUBLIC_URL = 'http://127.0.0.1:9';

  it('completes in another process, and in exactly one of two concurrent ones', async () => {
    await using host = await aHost();
    host.allowRedirectTo(callbackOf(PUBLIC_URL));
    const environment = { ...(await services.installation()), ...codehostEnvironment(host), PUBLIC_URL, ROLE: 'api' };
    await using one = await startScratchServer(environment);
    await using other = await startScratchServer(environment);

    const ann = stranger(one.url);
    expect((await ann.at(other.url).call('GET', await walk(ann, host, 'ann'))).status).toBe(302);
    expect(await profile(ann)).toMatchObject({ codehost_login: 'ann' });

    for (let round = 0; round < 5; round += 1) {
      const eve = stranger(one.url);
      const back = await walk(eve, host, 'eve');
      const answers = await Promise.all([one, other, one, other].map(({ url }) => eve.at(url).call('GET', back)));
      expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400]);
    }
  });

  it('keep linked accounts working while the key is rotated', async () => {
    await using host = await aHost();
    host.allowRedirectTo(callbackOf(PUBLIC_URL));
    const keyOf = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
    const [old, fresh] = [keyOf('old'), keyOf('new')];
    const common = { ...(await services.installation()), ...codehostEnvironment(host), PUBLIC_URL, ROLE: 'api' };
    const tokenOf = async (url: string, session: HttpSession) => {
      const answer = await session.at(url).call('DELETE', '/api/auth/codehost');
      expect(answer.status).toBe(204);
      return host.requests.filter(({ method, status }) => method === 'DELETE' && status === 204).length;
    };
    const people: HttpSession[] = [];
    {
      await using before = await startScratchServer({ ...common, ENCRYPTION_KEYS: old });
      for (const login of ['ann', 'eve']) {
        const person = await signUp(before.url);
        expect((await person.call('GET', await walk(person, host, login))).status).toBe(302);
        people.push(person);
      }
    }
    const both = { ...common, ENCRYPTION_KEYS: `${fresh},${old}` };
    await using serving = await startScratchServer(both);
    const [ann, eve] = people;
    if (ann === undefined || eve === undefined) throw new Error('Nobody has signed in.');
    const rotated = rotateKeys({ overrides: { ...both, DATA_DIR: serving.dataDir } });
    const meanwhile = await Promise.all(Array.from({ length: 20 }, () => profile(ann.at(serving.url))));
    expect(meanwhile.every(({ codehost_login }) => codehost_login === 'ann')).toBe(true);
    expect(await rotated).toEqual({
      audit_refused: null,
      key: 'new',
      other_keys: ['old'],
      codehost_grants: 2,
      repo_access_tokens: 0,
      notification_secrets: 0,
      notification_urls: 0,
      second_factors: 0,
      unreadable: 0,
    });
    expect(await tokenOf(serving.url, ann)).toBe(1);
    await using after = await startScratchServer({ ...common, ENCRYPTION_KEYS: fresh });
    expect(await tokenOf(after.url, eve)).toBe(2);
  });
});
