import type { Role } from '@sluice/core/access';
import { AppError } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';
import type { Repo } from '@sluice/core/repo';
import { aNewUser, anAccount, anEncryptedGrant, until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { syncSubject } from '../src/sync/sync-subject.ts';
import { type CodeHostWorld, HOST_REPO, openCodeHostWorld } from './code-host-world.ts';
import { openStores } from './open-stores.ts';

let world: CodeHostWorld;
beforeEach(async () => {
  world = await openCodeHostWorld(openStores);
});
afterEach(() => world[Symbol.asyncDispose]());

const members = { codehostRepoId: HOST_REPO, kind: 'members', number: 0 } as const;
const sync = () => syncSubject(world.work, members, new AbortController().signal);

async function linked(): Promise<{ id: UserId; account: string }> {
  const user = aNewUser();
  const account = anAccount();
  await world.users.create(user);
  await world.codehostLinks.link(user.id, account, anEncryptedGrant());
  return { id: user.id, account: account.id };
}

async function rolesIn(repo: Repo): Promise<Record<string, Role>> {
  const all = await world.members.list(repo.id);
  return Object.fromEntries(
    all.filter(({ origin }) => origin === 'mirrored').map(({ userId, role }) => [userId, role]),
  );
}

describe('the members of a repository that mirrors them', () => {
  it('have the roles of their permissions, and their open streams go by these', async () => {
    const repo = await world.register({ mirror_members: true });
    const [ann, bob, eve] = [await linked(), await linked(), await linked()];
    world.host.collaborators.set(ann.account, 'read').set(bob.account, 'write').set(eve.account, 'admin');
    expect(await sync()).toEqual({ kind: 'done' });
    expect(await rolesIn(repo)).toEqual({ [ann.id]: 'viewer', [bob.id]: 'approver', [eve.id]: 'admin' });
    expect(world.changedAccess.toSorted()).toEqual([ann.id, bob.id, eve.id].toSorted());
    world.changedAccess.length = 0;
    world.host.collaborators.set(eve.account, 'read').delete(bob.account);
    await sync();
    expect(await rolesIn(repo)).toEqual({ [ann.id]: 'viewer', [eve.id]: 'viewer' });
    expect(world.changedAccess.toSorted()).toEqual([bob.id, eve.id].toSorted());
  });

  it('are read again by a process that follows the host, also without a delivery', async () => {
    const repo = await world.register({ mirror_members: true });
    const ann = await linked();
    world.watch('w', { pollMs: 20 });
    world.host.collaborators.set(ann.account, 'write');
    await until('the member is there', async () => (await rolesIn(repo))[ann.id] === 'approver');
    world.host.collaborators.delete(ann.account);
    await until('the member is gone', async () => Object.keys(await rolesIn(repo)).length === 0);
  });

  it('are none once the setting is off, without asking the host', async () => {
    const repo = await world.register({ mirror_members: true });
    const ann = await linked();
    world.host.collaborators.set(ann.account, 'read');
    await sync();
    await world.repos.update(repo.id, { settings: { ...repo.settings, mirror_members: false } });
    world.host.asked.length = 0;
    await sync();
    expect(await rolesIn(repo)).toEqual({});
    expect(world.host.asked).toEqual([]);
  });

  it('are none once the host refuses to show them, and stay while it is unreachable', async () => {
    const repo = await world.register({ mirror_members: true });
    const ann = await linked();
    world.host.collaborators.set(ann.account, 'read');
    await sync();
    const refuse = (code: 'codehost_unavailable' | 'codehost_forbidden' | 'codehost_relink_needed') => {
      world.host.interfere = () => Promise.reject(new AppError(code));
    };
    refuse('codehost_unavailable');
    expect(await sync()).toMatchObject({ kind: 'failed', error: { code: 'codehost_unavailable' } });
    refuse('codehost_relink_needed');
    expect(await sync()).toEqual({ kind: 'done' });
    expect(await rolesIn(repo)).toEqual({ [ann.id]: 'viewer' });
    refuse('codehost_forbidden');
    expect(await sync()).toEqual({ kind: 'done' });
    expect(await rolesIn(repo)).toEqual({});
  });
});
