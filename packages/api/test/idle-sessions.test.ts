import { settableClock } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Login, type RunningApi, startApi } from './start-api.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const clock = settableClock(new Date());

let api: RunningApi;
let ada: Login;
/** Logs in as a client does; the logins of `api.login` are made in the stores. */
async function register(): Promise<Login> {
  const json = { email: 'ada@example.com', password: 'correct horse battery' };
  const answer = await api.call('POST', '/api/auth/register', { json });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { ...ada, cookie };
}
const open = async (sessionIdleTtlMs: number) => {
  api = await startApi({ clock, sessionTtlMs: 24 * HOUR_MS, sessionIdleTtlMs });
  ada = await register();
};
beforeEach(() => open(HOUR_MS));
afterEach(async () => {
  await api[Symbol.asyncDispose]();
});

const me = async () => (await api.call('GET', '/api/auth/me', { as: ada })).status;
const own = async () =>
  ((await api.call('GET', '/api/auth/sessions', { as: ada })).body.items as Record<string, string>[])[0];

describe('a session that is left alone', () => {
  it('ends after its idle lifetime, whatever its absolute one is', async () => {
    clock.advance(HOUR_MS - 1);
    expect(await me()).toBe(200);
    clock.advance(HOUR_MS);
    expect(await me()).toBe(401);
  });

  it('lives on while it is used, up to its absolute lifetime', async () => {
    for (let hour = 0; hour < 24 * 2 - 1; hour += 1) {
      clock.advance(HOUR_MS / 2);
      expect(await me()).toBe(200);
    }
    clock.advance(HOUR_MS / 2);
    expect(await me()).toBe(401);
  });

  it('is never, where none ends by that', async () => {
    await api[Symbol.asyncDispose]();
    await open(0);
    clock.advance(23 * HOUR_MS);
    expect(await me()).toBe(200);
    expect(await own()).toMatchObject({ idle_ends_at: null, last_seen_at: clock.now().toISOString() });
  });

  it('is shown with when it was seen and when it ends', async () => {
    clock.advance(10 * MINUTE_MS);
    const seen = clock.now();
    await me();
    clock.advance(MINUTE_MS - 1);
    expect(await own()).toMatchObject({
      last_seen_at: seen.toISOString(),
      idle_ends_at: new Date(seen.getTime() + HOUR_MS).toISOString(),
    });
  });
});

describe('that a session is in use', () => {
  it('is written once a minute at most, also of many requests at once', async () => {
    const touch = vi.spyOn(api.deps.sessions, 'touch');
    const many = async () => expect(await Promise.all(Array.from({ length: 12 }, me))).toEqual(Array(12).fill(200));
    await many();
    clock.advance(MINUTE_MS);
    await many();
    expect(touch).not.toHaveBeenCalled();
    clock.advance(1);
    await me();
    await many();
    expect(touch).toHaveBeenCalledTimes(1);
  });

  it('is written often enough where the idle lifetime is short', async () => {
    await api[Symbol.asyncDispose]();
    await open(MINUTE_MS);
    for (let count = 0; count < 20; count += 1) {
      clock.advance(MINUTE_MS / 4);
      expect(await me()).toBe(200);
    }
  });

  it('fails no request when it cannot be written', async () => {
    clock.advance(2 * MINUTE_MS);
    const failing = vi.spyOn(api.deps.sessions, 'touch').mockRejectedValue(new Error('The disk is full.'));
    expect(await me()).toBe(200);
    expect(failing).toHaveBeenCalled();
    expect(api.logged.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });
});
