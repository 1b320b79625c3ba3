import { expect } from 'vitest';
import { type AccountAdmin, openAccountAdmin } from '../src/admin/admin-accounts.ts';
import { continueSession, type HttpSession, signUp } from './http-session.ts';
import { startScratchServer } from './scratch-server.ts';
import type { SharedServices } from './shared-services.ts';

export const PASSWORD = 'a long enough passphrase';

/** What "within a second" may be on a busy machine. */
const PROMPTLY_MS = 10_000;

export const page = { limit: 10, cursor: null };

/** The disabled account is the first one, and so the only operator. */
export const only = { evenLastOperator: true };

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

export const isLive = async (person: HttpSession) => (await person.call('GET', '/api/auth/me')).status === 200;

export const logIn = async (url: string, email: string, password: string) =>
  (await continueSession(url, new Map()).call('POST', '/api/auth/login', { email, password })).body;

/** What the environment of a command on the machine is, in these tests. */
export const adminOf = (env: Record<string, string>, dataDir: string): Promise<AccountAdmin> =>
  openAccountAdmin({ overrides: { ...env, DATA_DIR: dataDir } });

/** Locks a user out of both processes of an installation, and lets them in again. */
export async function locksOut(services: SharedServices, how: 'with' | 'without'): Promise<void> {
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
}
