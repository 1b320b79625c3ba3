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
  ada?.[Symbol.dispose]();
  grace?.[Symbol.dispose]();
  await service?.kill();
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
  expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining('have to register')]);
  const absent = await members(ada, 'remove', 'nobody@example.com', '--yes');
  expect([absent.code, absent.stderr]).toEqual([4, expect.stringContaining('members list')]);
  expect((await members(ada, 'add', 'grace@example.com', '--role', 'king')).code).toBe(2);
});
