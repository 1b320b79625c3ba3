import { type AccountAdmin, openAccountAdmin } from '../src/admin/admin-accounts.ts';
import { continueSession, type HttpSession } from './http-session.ts';

export const PASSWORD = 'a long enough passphrase';

export const page = { limit: 10, cursor: null };

/** The disabled account is the first one, and so the only operator. */
export const only = { evenLastOperator: true };

export const isLive = async (person: HttpSession) => (await person.call('GET', '/api/auth/me')).status === 200;

export const logIn = async (url: string, email: string, password: string) =>
  (await continueSession(url, new Map()).call('POST', '/api/auth/login', { email, password })).body;

/** What the environment of a command on the machine is, in these tests. */
export const adminOf = (env: Record<string, string>, dataDir: string): Promise<AccountAdmin> =>
  openAccountAdmin({ overrides: { ...env, DATA_DIR: dataDir } });
