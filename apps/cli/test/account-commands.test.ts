import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSampleRepo } from '../src/local/sample-repo.ts';
import { openTerminal, PASSWORD, type Service, signUp, startService, type Terminal } from './terminal.ts';

let ada: Terminal;
let grace: Terminal;
let service: Service;

beforeAll(async () => {
  ada = await openTerminal();
  grace = await openTerminal();
  service = await startService(ada);
  await signUp(ada, service, 'ada@example.com'); // the operator
  await signUp(grace, service, 'grace@example.com');
});

afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  ada?.[Symbol.dispose]();
  grace?.[Symbol.dispose]();
});

const remove = (terminal: Terminal, input: string) =>
  terminal.sluice(['account', 'delete', '--yes', '--password-stdin'], { input });

it('deletes an account after telling what becomes of its repositories', async () => {
  expect((await grace.sluice(['repos', 'add', await makeSampleRepo(grace.home)])).code).toBe(0);
  const unconfirmed = await grace.sluice(['account', 'delete', '--password-stdin'], { input: PASSWORD });
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining('pass --yes to confirm')]);
  const wrong = await remove(grace, 'a wrong password');
  expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining('The current password is wrong.')]);
  const handed = await grace.sluice(['members', 'add', 'ada@example.com', '--role', 'admin', '--repo', 'invoice']);
  expect(handed.code, handed.stderr).toBe(0);
  const done = await remove(grace, PASSWORD);
  expect(done.code, done.stderr).toBe(0);
  expect(done.stderr).toMatch(/^invoice is handed over to \S+ with its 0 issues\.$/m);
  expect(done.stderr).toMatch(/Your account is deleted\.\n$/);
  expect((await grace.sluice(['whoami'])).code).not.toBe(0);
  expect((await ada.sluice(['repos', 'show', 'invoice'])).stdout).toMatch(/^Your role +admin$/m);
});

it('tells the last operator whom to make one first', async () => {
  const refused = await remove(ada, PASSWORD);
  expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('Make another user an operator first')]);
  expect((await ada.sluice(['whoami'])).code).toBe(0);
});
