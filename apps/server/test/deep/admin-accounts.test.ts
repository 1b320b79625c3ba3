import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, isLive, logIn, only, PASSWORD, page } from '../admin-accounts-scene.ts';
import { anIssueAtGate } from '../an-issue.ts';
import { aCodeHost, callbackOf, codehostEnvironment, signInAt } from '../code-host-scene.ts';
import { type HttpSession, signUp } from '../http-session.ts';
import { scratchFolder, startScratchServer } from '../scratch-server.ts';
import { type SharedServices, sharedServices } from '../shared-services.ts';

// Usual way: apps/server/test/admin-accounts.test.ts

/** What "within a second" may be on a busy machine. */
const PROMPTLY_MS = 10_000;

/** A stream of everything that happens to a person; resolves with how long it took from `since` to its end. */
async function openEvents(person: HttpSession): Promise<{ endedAfter(since: number): Promise<number> }> {
  const cookie = [...person.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${person.url}/api/events`, { headers: { cookie } });
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  await reader?.read();
  const ended = (async () => {
    try {
      while (!(await reader?.read())?.done);
    } catch {
      // cut is ended too
    }
    return performance.now();
  })();
  return { endedAfter: async (since) => (await ended) - since };
}

const backIn = async (person: HttpSession, email: string) => {
  await person.call('POST', '/api/auth/login', { email, password: PASSWORD });
  return person;
};

describe('the operator, while servers serve', () => {
  let services: SharedServices;
  beforeAll(async () => {
    services = await sharedServices();
  });
  afterAll(() => services[Symbol.asyncDispose]());

  it.each(['with', 'without'])(
    'locks a user out of every process within a second, %s Redis, and re-enables them',
    async (how) => {
      const { REDIS_URL, ...alone } = await services.installation();
      const env = how === 'with' ? { ...alone, REDIS_URL: REDIS_URL ?? '' } : alone;
      await using one = await startScratchServer(env);
      await using other = await startScratchServer(env);
      const email = `eve-${how}@example.com`;
      const eve = await signUp(one.url, email);
      const ann = await signUp(one.url, `ann-${how}@example.com`);
      const streams = [await openEvents(eve), await openEvents(eve.at(other.url))];
      await using admin = await adminOf(env, one.dataDir);
      const report = await admin.disable(email.toUpperCase(), only);
      const since = performance.now();
      expect(report).toMatchObject({ sessions_ended: 1, servers_told: true, user: { email, live_sessions: 0 } });
      for (const stream of streams) expect(await stream.endedAfter(since)).toBeLessThan(PROMPTLY_MS);
      expect([await isLive(eve), await isLive(eve.at(other.url)), await isLive(ann)]).toEqual([false, false, true]);
      const { request_id: _, ...refused } = await logIn(other.url, email, PASSWORD);
      const { request_id: __, ...unknown } = await logIn(other.url, 'nobody@example.com', PASSWORD);
      expect(refused).toEqual(unknown);
      expect(await admin.enable(email)).toMatchObject({ disabled_at: null });
      expect(await isLive(eve)).toBe(false);
      expect(await logIn(one.url, email, PASSWORD)).toMatchObject({ email });
      const { items } = (await admin.audit(email, page)) ?? { items: [] };
      expect(items.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
        'user session.opened',
        'operator account.enabled',
        'operator account.disabled',
        'user session.opened',
        'user account.registered',
      ]);
    },
  );

  it('cancels the running issues of a disabled user, unless asked not to', async () => {
    const env = await services.installation();
    await using server = await startScratchServer(env);
    const email = 'mallory@example.com';
    const person = await signUp(server.url, email);
    const { id } = await anIssueAtGate(person);
    await using admin = await adminOf(env, server.dataDir);
    expect(await admin.disable(email, { ...only, keepIssues: true })).toMatchObject({
      sessions_ended: 1,
      issues_cancelled: 0,
    });
    await admin.enable(email);
    expect(await (await backIn(person, email)).issue(id)).toMatchObject({ status: 'awaiting_approval' });
    expect(await admin.disable(email, only)).toMatchObject({
      sessions_ended: 1,
      issues_cancelled: 1,
      servers_told: true,
    });
    await admin.enable(email);
    expect(await (await backIn(person, email)).issue(id)).toMatchObject({ status: 'cancelled', gate: null });
    const { items } = (await admin.audit(email, page)) ?? { items: [] };
    expect(items.filter(({ actor }) => actor === 'operator').map(({ action }) => action)).toEqual([
      'account.enabled',
      'issue.cancelled',
      'account.disabled',
      'account.enabled',
      'account.disabled',
    ]);
  });

  it('resets a password, ends sessions, and records both in the audit log of the user', async () => {
    const env = await services.installation();
    await using server = await startScratchServer(env);
    const email = 'grace@example.com';
    const grace = await signUp(server.url, email);
    await using admin = await adminOf(env, server.dataDir);
    const ended = await admin.endSessions(email);
    expect(ended).toMatchObject({ sessions_ended: 1 });
    expect(await isLive(grace)).toBe(false);
    await grace.call('POST', '/api/auth/login', { email, password: PASSWORD });
    expect(await isLive(grace)).toBe(true);
    const reset = await admin.resetPassword(ended?.user.id ?? '');
    if (reset === null || reset === 'no_email') throw new Error(`the password was not reset: ${reset}`);
    expect([reset.sessions_ended, await isLive(grace)]).toEqual([1, false]);
    expect(await logIn(server.url, email, PASSWORD)).toMatchObject({ code: 'bad_credentials' });
    await grace.call('POST', '/api/auth/login', { email, password: reset.password });
    const { body } = await grace.call<{ items: { actor: string; action: string }[] }>('GET', '/api/audit');
    expect(body.items.filter(({ actor }) => actor === 'operator').map(({ action }) => action)).toEqual([
      'account.password_reset',
      'account.sessions_ended',
    ]);
    expect(JSON.stringify(body)).not.toContain(reset.password);
    for (const act of ['disable', 'enable', 'endSessions', 'resetPassword'] as const) {
      expect(await admin[act]('nobody@example.com')).toBeNull();
    }
    expect(await admin.audit('nobody@example.com', page)).toBeNull();
  });

  it('keeps a user who is disabled from signing in at the code host', async () => {
    await using host = await aCodeHost();
    const env = { ...(await services.installation()), ...codehostEnvironment(host) };
    await using server = await startScratchServer(env);
    const ann = await signInAt(server.url, host, 'ann');
    await using admin = await adminOf(env, server.dataDir);
    const { items } = await admin.users(page);
    expect(items).toMatchObject([{ email: null, codehost_login: 'ann', has_password: false, live_sessions: 1 }]);
    const id = items[0]?.id ?? '';
    expect(await admin.resetPassword(id)).toBe('no_email');
    await admin.disable(id, only);
    expect(await isLive(ann)).toBe(false);
    host.allowRedirectTo(callbackOf(server.url));
    await expect(signInAt(server.url, host, 'ann')).rejects.toThrow(/403.*account_disabled/);
    await admin.enable(id);
    expect(await isLive(await signInAt(server.url, host, 'ann'))).toBe(true);
  });

  it('reports that Redis was away, and disables the users', async () => {
    const env = { ...(await services.installation()), REDIS_URL: 'redis://127.0.0.1:1' };
    await using server = await startScratchServer(env);
    const eve = await signUp(server.url);
    await using admin = await adminOf(env, server.dataDir);
    const id = (await admin.users(page)).items[0]?.id ?? '';
    expect(await admin.disable(id, only)).toMatchObject({ sessions_ended: 1, servers_told: false });
    expect(await isLive(eve)).toBe(false);
  });
});

describe('the operator in embedded mode', () => {
  it('cancels the issues of a user who is locked out, before the server starts again', async () => {
    const dataDir = scratchFolder();
    const before = await startScratchServer({}, dataDir);
    const email = 'mallory@example.com';
    const person = await signUp(before.url, email);
    const { id } = await anIssueAtGate(person);
    await before.close();
    {
      await using admin = await adminOf({}, dataDir);
      expect(await admin.disable(email, only)).toMatchObject({ sessions_ended: 1, issues_cancelled: 1 });
      await admin.enable(email);
    }
    await using after = await startScratchServer({}, dataDir);
    expect(await (await backIn(person.at(after.url), email)).issue(id)).toMatchObject({ status: 'cancelled' });
  });
});
