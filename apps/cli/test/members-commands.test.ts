import type { Member } from '@sluice/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSampleRepo } from '../src/local/sample-repo.ts';
import { openTerminal, type Service, signUp, startService, type Terminal } from './terminal.ts';

let ada: Terminal;
let grace: Terminal;
let service: Service;

beforeAll(async () => {
  ada = await openTerminal();
  grace = await openTerminal();
  service = await startService(ada);
  await signUp(ada, service, 'ada@example.com');
  await signUp(grace, service, 'grace@example.com');
  const added = await ada.sluice(['repos', 'add', await makeSampleRepo(ada.home)]);
  expect(added.code, added.stderr).toBe(0);
});

afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  ada?.[Symbol.dispose]();
  grace?.[Symbol.dispose]();
});

const members = (terminal: Terminal, ...args: string[]) => terminal.sluice(['members', ...args, '--repo', 'invoice']);

it('adds, shows and removes the members of a repository', async () => {
  expect((await grace.sluice(['repos', 'list'])).stdout).toBe('');
  const added = await members(ada, 'add', 'Grace@example.com', '--role', 'viewer');
  expect([added.code, added.stdout]).toEqual([0, 'grace@example.com has the role viewer.\n']);
  const listed = await members(grace, 'list');
  expect(listed.stdout).toMatch(/^\S+\tadmin\t\t\t\tregistered\n\S+\tviewer\tgrace@example\.com\t\t\tadded\n$/);
  expect((await grace.sluice(['repos', 'show', 'invoice'])).stdout).toMatch(/^Your role +viewer$/m);
  const changed = await members(ada, 'add', 'grace@example.com', '--role', 'approver', '--json');
  expect(JSON.parse(changed.stdout) as Member).toMatchObject({ role: 'approver', origin: 'added' });
  const removed = await members(ada, 'remove', 'grace@example.com', '--yes');
  expect([removed.code, removed.stderr]).toEqual([0, 'Removed grace@example.com. Their issues stay.\n']);
  expect((await members(grace, 'list')).code).toBe(4);
});

it('says who may do it, and who is not there', async () => {
  await members(ada, 'add', 'grace@example.com', '--role', 'contributor');
  const refused = await members(grace, 'add', 'ada@example.com', '--role', 'viewer');
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('this needs the role admin')]);
  const unknown = await members(ada, 'add', 'nobody@example.com', '--role', 'viewer');
  expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining('Invite the user')]);
  const absent = await members(ada, 'remove', 'nobody@example.com', '--yes');
  expect([absent.code, absent.stderr]).toEqual([4, expect.stringContaining('members list')]);
  expect((await members(ada, 'add', 'grace@example.com', '--role', 'king')).code).toBe(2);
});

it('invites somebody without an account, who is a member once they have made it by the link', async () => {
  const invited = await members(ada, 'invite', 'eve@example.com', '--role', 'viewer');
  const message = 'Give this link to eve@example.com if the server sends no e-mails. It is not shown again.\n';
  expect([invited.code, invited.stderr]).toEqual([0, message]);
  const open = await members(ada, 'invitations');
  expect(open.stdout).toMatch(/^\S+\teve@example\.com\tviewer\tinvoice\t/);
  const link = new URLSearchParams(new URL(invited.stdout.trim()).hash.slice(1));
  const body = JSON.stringify({
    ...{ email: link.get('email'), invitation: link.get('invitation') },
    password: 'a long enough passphrase',
  });
  const headers = { 'content-type': 'application/json' };
  const made = await fetch(`${service.url}/api/auth/register`, { method: 'POST', headers, body });
  expect(made.status).toBe(201);
  expect((await members(ada, 'list')).stdout).toContain('\tviewer\teve@example.com\t');
  expect((await members(ada, 'invitations')).stdout).toBe('');
});

it('takes an invitation back, as an operator also those of others', async () => {
  const id = async () => (await members(ada, 'invitations')).stdout.split('\t')[0] ?? '';
  await members(ada, 'invite', 'mallory@example.com', '--role', 'viewer');
  expect(await members(ada, 'withdraw', await id())).toMatchObject({ code: 0 });
  expect((await members(ada, 'withdraw', await id())).code).toBe(4);
  const admin = (...args: string[]) => ada.sluice(['admin', ...args]);
  expect((await admin('invitations', 'create', 'mallory@example.com')).stdout).toMatch(/#invitation=\S+\n$/);
  const listed = await admin('invitations', 'list');
  expect(listed.stdout).toMatch(/^\S+\tmallory@example\.com\t/);
  expect((await admin('invitations', 'withdraw', listed.stdout.split('\t')[0] ?? '')).code).toBe(0);
  expect((await admin('repos')).stdout).toMatch(/^\S+\tinvoice\tada@example\.com\t\t/);
});

it('lists invitations a page at a time', async () => {
  for (const name of ['oscar', 'peggy']) await members(ada, 'invite', `${name}@example.com`, '--role', 'viewer');
  const newest = await members(ada, 'invitations', '--limit', '1');
  expect(newest.stdout).toMatch(/^\S+\tpeggy@example\.com\t/);
  const cursor = /^More results: --cursor (\S+)\n$/.exec(newest.stderr)?.[1] ?? '';
  const next = await members(ada, 'invitations', '--limit', '1', '--cursor', cursor);
  expect(next.stdout).toMatch(/^\S+\toscar@example\.com\t/);
});
