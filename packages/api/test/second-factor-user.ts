import { hash } from '@node-rs/argon2';
import { rateLimits } from '@sluice/core/request';
import { createMemoryLimiter } from '@sluice/redis';
import { TOTP } from 'otpauth';
import type { Answer, Login, RunningApi } from './start-api.ts';

export const PASSWORD = 'correct horse battery';

/** The usual limits without that of an address: all users of a test have the same. */
export const limiter = () => createMemoryLimiter({ ...rateLimits, login: null, change_account: null });

/** A user who can log in with `PASSWORD`. */
export async function userWithPassword(api: RunningApi): Promise<Login & { email: string }> {
  const as = await api.login();
  const passwordHash = await hash(PASSWORD, { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  await api.stores.users.changeAccount(as.user.id, { passwordHash, keep: as.sessionId });
  return { ...as, email: as.user.email ?? '' };
}

export const logIn = (api: RunningApi, json: Record<string, unknown>) => api.call('POST', '/api/auth/login', { json });
export const byPassword = (api: RunningApi, email: string) => logIn(api, { email, password: PASSWORD });

/** Whether the answer of a login opened a session. */
export const opened = ({ status, headers }: Answer) =>
  status === 200 && headers.getSetCookie().some((cookie) => cookie.startsWith('access_token='));

/** The login of an answer's cookie. */
export async function loginOf(api: RunningApi, answer: Answer): Promise<Login> {
  const cookie = (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const me = await api.call('GET', '/api/auth/me', { headers: { cookie } });
  return { cookie, user: me.body } as unknown as Login;
}

export interface App {
  readonly id: string;
  readonly recoveryCodes: string[];
  /** The code that the app shows so many steps from now. */
  code(steps?: number): string;
}

/** Enrolls an authenticator app. */
export async function enrollApp(api: RunningApi, as: Login, now: () => number = Date.now): Promise<App> {
  const json = { current_password: PASSWORD };
  const begun = await api.call('POST', '/api/auth/second-factors/totp', { as, json });
  const totp = new TOTP({ secret: String(begun.body.secret) });
  const code = (steps = 0) => totp.generate({ timestamp: now() + steps * 30_000 });
  const done = { challenge: begun.body.challenge, name: 'Phone', code: code() };
  const added = await api.call('POST', '/api/auth/second-factors', { as, json: done });
  if (added.status !== 201) throw new Error(`The app was not added: ${added.text}`);
  const { id } = added.body.second_factor as { id: string };
  return { id, code, recoveryCodes: (added.body.recovery_codes ?? []) as string[] };
}
