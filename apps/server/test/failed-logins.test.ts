import { expect, it } from 'vitest';
import { openAccountAdmin } from '../src/admin/admin-accounts.ts';
import { signUp } from './http-session.ts';
import { startScratchServer } from './scratch-server.ts';

it('shows failed logins to the user and the operator, and hides those of unknown e-mails', async () => {
  await using server = await startScratchServer();
  const email = 'ada@example.com';
  const ada = await signUp(server.url, email);
  const logIn = (at: string) => ada.call('POST', '/api/auth/login', { email: at, password: 'not the right one' });
  const answers = [await logIn(email), await logIn('Ada@Example.com '), await logIn('nobody@example.com')];
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);

  // What was counted is written before the server has stopped.
  await using restarted = await server.restart();
  const { body } = await ada.at(restarted.url).call('GET', '/api/auth/failed-logins');
  expect(body).toEqual({ items: [{ day: new Date().toISOString().slice(0, 10), count: 2 }], next_cursor: null });

  await restarted.close();
  await using accounts = await openAccountAdmin({ dotEnv: false, overrides: { DATA_DIR: server.dataDir } });
  expect((await accounts.users({ limit: 9, cursor: null })).items).toMatchObject([{ email, failed_logins: 2 }]);
});
