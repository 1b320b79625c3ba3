import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Forgery, forgeTokens, type Stolen } from './forge-tokens.ts';
import { type Login, type RunningApi, startApi } from './start-api.ts';

const key = Uint8Array.from({ length: 32 }, (_none, index) => index + 1);

let api: RunningApi;
let owner: Login;
let stolen: Stolen;
let forgeries: Forgery[];
const tokenOf = ({ cookie }: Login) => cookie.slice('access_token='.length);

beforeAll(async () => {
  api = await startApi({ sessionSecret: key });
  owner = await api.login();
  const other = await api.login();
  const token = tokenOf(owner);
  const others = { sub: other.user.id, sid: other.sessionId, token: tokenOf(other) };
  stolen = { claims: decodeJwt(token) as Stolen['claims'], token, key, others };
  forgeries = await forgeTokens(stolen);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

const statusWith = async (cookie: string, path = '/api/auth/me') =>
  (await api.call('GET', path, { headers: { cookie } })).status;

describe('a session token', () => {
  it('is let in as it was given out', async () => {
    expect(await statusWith(owner.cookie)).toBe(200);
    expect(await statusWith(owner.cookie, '/api/trpc/auth.me')).toBe(200);
  });

  it('is refused in each of more than two hundred forgeries, over REST and tRPC, without a reason', async () => {
    expect(new Set(forgeries.map(([, token]) => token)).size).toBeGreaterThanOrEqual(200);
    const failures: string[] = [];
    for (const [what, token] of forgeries) {
      const answers = [
        await api.call('GET', '/api/issues', { headers: { cookie: `access_token=${token}` } }),
        await api.call('GET', '/api/trpc/auth.me', { headers: { cookie: `access_token=${token}` } }),
        await api.call('POST', '/api/auth/logout', { headers: { cookie: `access_token=${token}` } }),
      ];
      for (const { status, text, headers } of answers) {
        const isRefused = status === 401 && text.includes('session_missing') && headers.getSetCookie().length === 0;
        if (!isRefused) failures.push(`${what}: ${status} ${text.slice(0, 200)}`);
      }
    }
    expect(failures).toEqual([]);
    expect(api.logged.filter(({ level }) => level === 'error')).toEqual([]);
    expect(await statusWith(owner.cookie)).toBe(200);
  });

  it('is looked for in the first cookie of its name alone, and in no other place', async () => {
    const forged = forgeries[0]?.[1] ?? '';
    expect(await statusWith(`access_token=${forged}; ${owner.cookie}`)).toBe(401);
    for (const name of ['Access_Token', 'access_token ', '__Host-access_token', 'access_token[]', 'xaccess_token']) {
      expect(await statusWith(`${name.trimEnd()}${name.endsWith(' ') ? '.x' : ''}=${stolen.token}`), name).toBe(401);
    }
    expect(await statusWith('', `/api/auth/me?access_token=${stolen.token}`)).not.toBe(200);
    for (const name of ['authorization', 'x-access-token', 'access_token', 'x-forwarded-user', 'x-original-cookie']) {
      const headers = { [name]: name === 'authorization' ? `Bearer ${stolen.token}` : stolen.token };
      expect((await api.call('GET', '/api/auth/me', { headers })).status, name).toBe(401);
    }
  });
});
