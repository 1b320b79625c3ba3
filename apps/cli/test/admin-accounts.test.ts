import { afterAll, beforeAll, expect, it } from 'vitest';
import { aStoppedInstallation } from './stopped-installation.ts';
import { openTerminal, type Terminal } from './terminal.ts';

let terminal: Terminal;
let env: Record<string, string>;
beforeAll(async () => {
  terminal = await openTerminal();
  env = { DATA_DIR: await aStoppedInstallation(['ann@example.com', 'eve@example.com']) };
});
afterAll(() => terminal[Symbol.dispose]());

const admin = (...args: string[]) => terminal.sluice(['admin', ...args], { env });

it('lists users, disables one, and enables them again', async () => {
  const list = await admin('users', 'list');
  expect(list.stdout).toMatch(
    /\teve@example\.com\t\t\t1 session\tpassword\t*\n.*ann@example\.com\toperator\t\t1 session/,
  );
  const disabled = await admin('users', 'disable', 'Eve@example.com');
  expect([disabled.code, disabled.stdout]).toEqual([0, 'eve@example.com is disabled; 1 session ended.\n']);
  expect((await admin('users', 'list')).stdout).toContain('disabled');
  const enabled = await terminal.json(['admin', 'users', 'enable', 'eve@example.com'], { env });
  expect(enabled).toMatchObject({ email: 'eve@example.com', disabled_at: null, live_sessions: 0 });
  const more = await admin('users', 'list', '--limit', '1');
  expect(more.stderr).toMatch(/^More results: --cursor \S+\n$/);
});

it('makes a user an operator and an ordinary user again, but keeps the last operator', async () => {
  const granted = await admin('users', 'grant-operator', 'Eve@example.com');
  expect([granted.code, granted.stdout]).toEqual([0, 'eve@example.com is an operator.\n']);
  const revoked = await terminal.json(['admin', 'users', 'revoke-operator', 'ann@example.com'], { env });
  expect(revoked).toMatchObject({ email: 'ann@example.com', operator: false });
  const last = await admin('users', 'revoke-operator', 'eve@example.com');
  expect([last.code, last.stdout]).toEqual([5, '']);
  expect(last.stderr).toContain('Without eve@example.com, no operator could log in. Make somebody else one first: ');
  const disabled = await admin('users', 'disable', 'eve@example.com');
  expect([disabled.code, disabled.stdout]).toEqual([5, '']);
  expect(disabled.stderr).toContain('or repeat this with --even-last-operator');
  expect((await admin('users', 'disable', 'eve@example.com', '--even-last-operator')).code).toBe(0);
  await admin('users', 'enable', 'eve@example.com');
  const { stdout } = await admin('audit');
  expect(stdout).toMatch(/operator\taccount\.operator_revoked\t.*\n.*operator\taccount\.operator_granted\t/);
});

it('shows a new password once, on stdout alone', async () => {
  const { code, stdout, stderr } = await admin('users', 'reset-password', 'ann@example.com');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^ann@example\.com has a new password; 1 session ended\.\n[\w-]{16}\n$/);
});

it('removes the second factors of a user, and ends their sessions', async () => {
  const { stdout } = await admin('users', 'remove-second-factors', 'ann@example.com');
  expect(stdout).toContain('ann@example.com has no second factor any more');
  expect((await admin('audit')).stdout).toContain('account.factors_removed');
});

it('shows the audit log of all users or of one', async () => {
  await admin('users', 'end-sessions', 'ann@example.com');
  const { stdout } = await admin('audit');
  expect(stdout).toMatch(/operator\taccount\.sessions_ended\t\S+\t\{"sessions_ended":0\}/);
  const one = await terminal.json<{ items: { user_id: string }[] }>(['admin', 'audit', '--user', 'eve@example.com'], {
    env,
  });
  expect(new Set(one.items.map(({ user_id }) => user_id)).size).toBe(1);
});

it.each([
  [['users', 'disable', 'nobody@example.com'], 4, 'There is no user "nobody@example.com"'],
  [['users', 'enable', ''], 4, 'There is no user'],
  [['audit', '--user', 'nobody'], 4, 'There is no user "nobody"'],
  [['audit', '--action', 'issue.decide'], 2, 'there is no action "issue.decide"'],
  [['audit', '--export', '--repo', 'shop'], 2, '--repo is not a repository id: shop'],
  [['users', 'list', '--limit', '0'], 2, 'must be a positive integer'],
  [['users', 'disable'], 2, 'missing required argument'],
])('reports the error in one line for %j', async (args, code, message) => {
  const ended = await admin(...args);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toMatch(/^sluice: [^\n]+\n$/);
  expect(ended.stderr).toContain(message);
});
