import { callerOf, type Role, roles } from '@sluice/core/access';
import type { User } from '@sluice/core/account';
import type { RepoId } from '@sluice/core/id';
import { MAX_MEMBERS } from '@sluice/core/member';
import type { Repo } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { anAccount, anEncryptedGrant } from './code-host-samples.ts';
import { aTarget } from './notification.contract.ts';
import { applied, broughtToGate, cancelled, failed } from './pipeline-moves.ts';
import {
  atOnce,
  newIssueOn,
  type OpenStores,
  registeredRepo,
  registeredUser,
  type StoreHarness,
  writtenAgainst,
} from './store-harness.ts';

const everything = { limit: 100, cursor: null };

/** A repository, and a user with a role in it. */
async function joined(stores: StoreHarness, role: Role = 'viewer'): Promise<{ repo: Repo; member: User }> {
  const repo = await registeredRepo(stores);
  const member = await registeredUser(stores);
  await give(stores, { repo, member, role });
  return { repo, member };
}

interface LinkedUser extends User {
  /** The id of their account at the code host. */
  readonly account: string;
}

async function linkedUser(stores: StoreHarness): Promise<LinkedUser> {
  const user = await registeredUser(stores);
  const account = anAccount();
  await stores.codehostLinks.link(user.id, account, anEncryptedGrant());
  return { ...user, account: account.id };
}

async function give(stores: StoreHarness, { repo, member, role }: { repo: Repo; member: User; role: Role }) {
  return await stores.members.put({ repoId: repo.id, userId: member.id, role, origin: 'added' });
}

/** What a `MemberStore` promises, and what others do by the roles that it keeps, on any database. */
export function memberContract(name: string, open: OpenStores): void {
  describe(`the members of a repository on ${name}`, () => {
    it('are who registered it, and those who were given a role', async () => {
      await using stores = await open();
      const { repo, member } = await joined(stores);
      const listed = await stores.members.list(repo.id);
      expect(listed).toMatchObject([
        { userId: repo.userId, role: 'admin', origin: null },
        { userId: member.id, email: member.email, role: 'viewer', origin: 'added' },
      ]);
      for (const role of roles) {
        expect(await give(stores, { repo, member, role })).toMatchObject({ kind: 'put', member: { role } });
        expect(await stores.members.role(repo.id, member.id)).toBe(role);
      }
      const stranger = await registeredUser(stores);
      expect(await stores.members.role(repo.id, stranger.id)).toBeNull();
      expect(await stores.members.role(newId<RepoId>(), member.id)).toBeNull();
    });

    it('never include who registered it, who stays its admin', async () => {
      await using stores = await open();
      const { repo, member } = await joined(stores);
      const registrant = { ...member, id: repo.userId };
      expect(await give(stores, { repo, member: registrant, role: 'viewer' })).toEqual({ kind: 'registrant' });
      expect(await stores.members.remove(repo.id, repo.userId)).toBe('absent');
      expect(await stores.members.role(repo.id, repo.userId)).toBe('admin');
      expect(await stores.members.put({ repoId: repo.id, userId: newId(), role: 'viewer', origin: 'added' })).toEqual({
        kind: 'absent',
      });
    });

    it('have the roles of their token at most, and see its repository alone', async () => {
      await using stores = await open();
      const { repo, member } = await joined(stores, 'approver');
      const other = await registeredRepo(stores, { userId: member.id });
      const caller = callerOf(member.id);
      const all = new Map([
        [repo.id, 'approver'],
        [other.id, 'admin'],
      ]);
      expect(await stores.members.rolesOf(caller)).toEqual(all);
      const limited = { ...caller, limits: { role: 'contributor', repoId: null } } as const;
      expect(new Set((await stores.members.rolesOf(limited)).values())).toEqual(new Set(['contributor']));
      const ofOne = { ...caller, limits: { role: 'admin', repoId: repo.id } } as const;
      expect(await stores.members.rolesOf(ofOne)).toEqual(new Map([[repo.id, 'approver']]));
      expect((await stores.repos.list(ofOne, everything)).items.map(({ id }) => id)).toEqual([repo.id]);
    });

    it('read the issues of the repository, and no longer once they are removed', async () => {
      await using stores = await open();
      const { repo, member } = await joined(stores);
      const issue = applied(await stores.issues.create(newIssueOn(repo), { queue: false }));
      await registeredRepo(stores, { userId: member.id });
      const caller = callerOf(member.id);
      const seen = async () => ({
        repos: (await stores.repos.list(caller, everything)).items.length,
        listed: (await stores.issues.list({ readableBy: caller, ...everything })).items.map(({ id }) => id),
        counted: await stores.issues.count({ readableBy: caller }),
        drafts: (await stores.issues.inbox({ caller })).drafts.items.map(({ issue }) => issue.id),
        changed: (await stores.eventLog.changed(caller, { after: 0, upTo: null, limit: null })).issues.length,
      });
      expect(await seen()).toEqual({ repos: 2, listed: [issue.id], counted: 1, drafts: [issue.id], changed: 1 });
      expect(await stores.members.remove(repo.id, member.id)).toBe('removed');
      expect(await seen()).toEqual({ repos: 1, listed: [], counted: 0, drafts: [], changed: 0 });
      expect(await stores.members.remove(repo.id, member.id)).toBe('absent');
    });

    it('list the issues that one of them created, of the repositories that they may read', async () => {
      await using stores = await open();
      const { repo, member } = await joined(stores, 'contributor');
      await stores.issues.create(newIssueOn(repo), { queue: false });
      const own = applied(await stores.issues.create(newIssueOn(repo, { userId: member.id }), { queue: false }));
      const mine = { readableBy: callerOf(member.id), requestedBy: member.id, ...everything };
      expect((await stores.issues.list(mine)).items.map(({ id }) => id)).toEqual([own.id]);
      await stores.members.remove(repo.id, member.id);
      expect((await stores.issues.list(mine)).items).toEqual([]);
    });

    it('are deleted with the repository', async () => {
      await using stores = await open();
      const { repo, member } = await joined(stores);
      expect(await stores.repos.remove(repo.id)).toBe('removed');
      expect(await stores.members.role(repo.id, member.id)).toBeNull();
      expect(await stores.members.list(repo.id)).toEqual([]);
      await expect(give(stores, { repo, member, role: 'admin' })).rejects.toMatchObject({ code: 'repo_not_found' });
    });

    it('are at most so many, by an admin and by the code host, also when they come at once', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const mirror = async (...users: LinkedUser[]) => {
        const roles = new Map<string, Role>(users.map(({ account }) => [account, 'viewer']));
        return await stores.members.mirror({ repoId: repo.id, roles });
      };
      const [ann, bob] = (await atOnce(2, () => linkedUser(stores))) as [LinkedUser, LinkedUser];
      await mirror(ann);
      const add = async (count: number) =>
        await atOnce(count, async () => {
          const member = await registeredUser(stores);
          return (await give(stores, { repo, member, role: 'viewer' })).kind;
        });
      for (let added = 0; added < MAX_MEMBERS - 3; added += 1) await add(1);
      expect((await add(4)).toSorted()).toEqual(['full', 'full', 'put', 'put']);
      expect(await mirror(ann, bob)).toEqual({ changed: [], leftOut: 1 });
      expect(await mirror(bob)).toEqual({ changed: [ann.id, bob.id], leftOut: 0 }); // in the place that became free
      expect(await give(stores, { repo, member: bob, role: 'admin' })).toMatchObject({ kind: 'put' });
      expect(await stores.members.list(repo.id)).toHaveLength(MAX_MEMBERS + 1);
    });
  });

  describe(`members by their permissions at the code host on ${name}`, () => {
    it('come, change and go with these, each with an entry in the audit log', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const [ann, bob] = (await atOnce(2, () => linkedUser(stores))) as [LinkedUser, LinkedUser];
      const mirror = (roles: [string, Role][]) => stores.members.mirror({ repoId: repo.id, roles: new Map(roles) });
      const first = await mirror([
        [ann.account, 'approver'],
        [bob.account, 'viewer'],
        ['no user has it', 'admin'],
      ]);
      expect(first).toEqual({ changed: expect.arrayContaining([ann.id, bob.id]), leftOut: 0 });
      const same: [string, Role][] = [
        [ann.account, 'approver'],
        [bob.account, 'viewer'],
      ];
      expect(await mirror(same)).toEqual({ changed: [], leftOut: 0 });
      expect((await mirror([[ann.account, 'viewer']])).changed.toSorted()).toEqual([ann.id, bob.id].toSorted());
      expect((await stores.members.list(repo.id)).slice(1)).toMatchObject([
        { userId: ann.id, role: 'viewer', origin: 'mirrored' },
      ]);
      expect((await mirror([])).changed).toEqual([ann.id]);
      const { items } = await stores.audit.listOfRepo(repo.id, everything);
      expect(items).toHaveLength(5);
      expect(items[0]).toMatchObject({
        userId: repo.userId,
        actor: { kind: 'service' },
        act: { action: 'repo.member_removed', detail: { user_id: ann.id, mirrored: true } },
      });
    });

    it('leave alone what an admin has given, and who registered the repository', async () => {
      await using stores = await open();
      const registrant = await linkedUser(stores);
      const repo = await registeredRepo(stores, { userId: registrant.id });
      const member = await linkedUser(stores);
      await give(stores, { repo, member, role: 'approver' });
      const roles = new Map<string, Role>([
        [member.account, 'viewer'],
        [registrant.account, 'viewer'],
      ]);
      expect(await stores.members.mirror({ repoId: repo.id, roles })).toEqual({ changed: [], leftOut: 0 });
      expect(await stores.members.mirror({ repoId: repo.id, roles: new Map() })).toEqual({ changed: [], leftOut: 0 });
      expect(await stores.members.role(repo.id, member.id)).toBe('approver');
      expect(await stores.members.role(repo.id, registrant.id)).toBe('admin');
    });

    it('stay until their permission changes, or get a role of their own here', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const member = await linkedUser(stores);
      const roles = new Map<string, Role>([[member.account, 'viewer']]);
      await stores.members.mirror({ repoId: repo.id, roles });
      expect(await stores.members.remove(repo.id, member.id)).toBe('mirrored');
      expect(await give(stores, { repo, member, role: 'admin' })).toMatchObject({ member: { origin: 'added' } });
      await stores.members.mirror({ repoId: repo.id, roles });
      expect(await stores.members.role(repo.id, member.id)).toBe('admin');
      expect(await stores.members.remove(repo.id, member.id)).toBe('removed');
    });

    it('are marked for a sync by the setting, by a new link, and again after a while', async () => {
      await using stores = await open();
      const hosted = { provider: 'codehost', codehostRepoId: '77' } as const;
      const repo = await registeredRepo(stores, hosted);
      const settings = { ...repo.settings, mirror_members: true };
      const taken = async () => {
        const subjects = await stores.codehostInbox.claim('w', { limit: 10, ttlMs: 60_000 });
        for (const subject of subjects) await stores.codehostInbox.settle('w', subject);
        return subjects.map(({ kind, codehostRepoId }) => `${kind} ${codehostRepoId}`);
      };
      await stores.codehostInbox.markMembers(0);
      expect(await taken()).toEqual([]);
      await stores.repos.update(repo.id, { settings });
      expect(await taken()).toEqual(['members 77']);
      await stores.codehostInbox.markMembers(60_000);
      expect(await taken()).toEqual([]);
      const { id } = await linkedUser(stores);
      expect(await taken()).toEqual(['members 77']);
      await stores.codehostLinks.unlink(id, { passwords: true, codehost: true, issuers: [] });
      expect(await taken()).toEqual(['members 77']);
      stores.clock.advance(60_001);
      await stores.codehostInbox.markMembers(60_000);
      expect(await taken()).toEqual(['members 77']);
    });
  });

  describe(`a repository whose registrant is disabled on ${name}`, () => {
    it('takes no new work of its members', async () => {
      await using stores = await open();
      const { repo, member } = await joined(stores, 'contributor');
      const draft = applied(await stores.issues.create(newIssueOn(repo, { userId: member.id }), { queue: false }));
      await stores.users.disable(repo.userId);
      const refused = { code: 'registrant_disabled' };
      const another = stores.issues.create(newIssueOn(repo, { userId: member.id }), { queue: true });
      await expect(another).rejects.toMatchObject(refused);
      const run = stores.issues.apply({
        issueId: draft.id,
        from: { status: 'pending' },
        trigger: 'queued',
        events: [],
      });
      await expect(run).rejects.toMatchObject(refused);
      await stores.users.enable(repo.userId);
      applied(await stores.issues.create(newIssueOn(repo, { userId: member.id }), { queue: true }));
    });

    it('goes on with the issue that is queued already, and leaves those that wait for the repository', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const busy = applied(await stores.issues.create(newIssueOn(await registeredRepo(stores)), { queue: true }));
      const { repo, member } = await joined(stores, 'contributor');
      const inRepo = newIssueOn(repo, { userId: member.id });
      const queued = applied(await stores.issues.create(inRepo, { queue: true, orWait: true }));
      const another = newIssueOn(repo, { userId: member.id });
      const waiting = applied(await stores.issues.create(another, { queue: true, orWait: true }));
      await stores.users.disable(repo.userId);
      await cancelled(stores, busy.id);
      expect(await stores.issues.get(queued.id)).toMatchObject({ status: 'running' });
      await cancelled(stores, queued.id);
      expect(await stores.issues.get(waiting.id)).toMatchObject({ status: 'pending', waitsForRepo: true });
      await stores.users.enable(repo.userId);
      await stores.issues.queueWaiting();
      expect(await stores.issues.get(waiting.id)).toMatchObject({ status: 'running' });
    });
  });

  describe(`a write that needs a role on ${name}`, () => {
    it('is refused, and nothing is written, once its user has lost the role', async () => {
      await using stores = await open();
      const { repo, member } = await joined(stores, 'contributor');
      const issue = applied(await stores.issues.create(newIssueOn(repo), { queue: false }));
      const audit = {
        userId: member.id,
        actor: { kind: 'user', sessionId: null },
        act: { action: 'issue.edited', subjectId: issue.id, detail: {} },
        needs: { repoId: repo.id, role: 'approver' },
      } as const;
      const edit = (actor?: 'service') =>
        stores.issues.edit(
          issue.id,
          { title: 'Other', body: '', warnings: [] },
          actor === undefined ? audit : { ...audit, actor: { kind: actor } },
        );
      await expect(edit()).rejects.toMatchObject({ code: 'role_insufficient' });
      await expect(edit('service')).rejects.toMatchObject({ code: 'role_insufficient' });
      await stores.members.remove(repo.id, member.id);
      await expect(edit()).rejects.toMatchObject({ code: 'not_owner' });
      expect((await stores.issues.get(issue.id))?.title).toBe(issue.title);
      expect((await stores.audit.list(member.id, everything)).items).toEqual([]);
      await give(stores, { repo, member, role: 'approver' });
      expect((await edit())?.title).toBe('Other');
      expect((await stores.audit.listOfRepo(repo.id, everything)).items).toMatchObject([
        { userId: member.id, act: { action: 'issue.edited' } },
      ]);
    });

    it('ends with the role, in whatever order both come', async () => {
      await using stores = await open();
      const { repo, member } = await joined(stores, 'contributor');
      const write = async () => {
        const issue = newIssueOn(repo, { userId: member.id });
        const audit = {
          userId: member.id,
          actor: { kind: 'user', sessionId: null },
          act: { action: 'issue.created', subjectId: issue.id, detail: { repo_id: repo.id } },
          needs: { repoId: repo.id, role: 'contributor' },
        } as const;
        const written = stores.issues.create(issue, { queue: false, audit });
        return await written.then(
          () => true,
          () => false,
        );
      };
      const [written] = await writtenAgainst(write, () => stores.members.remove(repo.id, member.id));
      expect(await stores.issues.count({ requestedBy: member.id })).toBe(written);
      expect((await stores.audit.list(member.id, everything)).items).toHaveLength(written);
    });
  });

  describe(`notifications of members on ${name}`, () => {
    const told = async (stores: StoreHarness, targetId: string) =>
      (await stores.notifications.deliveries({ ...everything, targetId })).items.map(
        ({ notification }) => notification.type,
      );
    const targetOf = async (stores: StoreHarness, { id }: Pick<User, 'id'>, repoId: RepoId | null = null) => {
      const target = aTarget(id, { repoId });
      await stores.notifications.createTarget(target, {
        id: newId(),
        encryptedToken: { encrypted: '1:a', nonce: 'a' },
      });
      return target.id;
    };

    it('tell of gates who may decide, of an end who created the issue, and of all who asks for the repository', async () => {
      await using stores = await open();
      const { repo, member: approver } = await joined(stores, 'approver');
      const [author, viewer, stranger] = (await atOnce(3, () => registeredUser(stores))) as [User, User, User];
      await give(stores, { repo, member: author, role: 'contributor' });
      await give(stores, { repo, member: viewer, role: 'viewer' });
      const of = async (user: Pick<User, 'id'>, repoId: RepoId | null = null) => await targetOf(stores, user, repoId);
      const targets = {
        registrant: await of({ id: repo.userId }),
        approver: await of(approver),
        author: await of(author),
        viewer: await of(viewer),
        follower: await of(viewer, repo.id),
        stranger: await of(stranger),
      };
      const { id } = applied(await stores.issues.create(newIssueOn(repo, { userId: author.id }), { queue: true }));
      await broughtToGate(stores, id);
      await cancelled(stores, id);
      const again = applied(await stores.issues.create(newIssueOn(repo, { userId: author.id }), { queue: true }));
      await failed(stores, again.id);
      const seen = Object.entries(targets).map(async ([who, target]) => [who, (await told(stores, target)).sort()]);
      expect(Object.fromEntries(await Promise.all(seen))).toEqual({
        registrant: ['gate.opened'],
        approver: ['gate.opened'],
        author: ['gate.opened', 'issue.failed'],
        viewer: [],
        follower: ['gate.opened', 'issue.failed'],
        stranger: [],
      });
    });

    it('end with the membership: what was still to be sent, and what could be read', async () => {
      await using stores = await open();
      const { repo, member } = await joined(stores, 'approver');
      const [all, ofRepo] = [await targetOf(stores, member), await targetOf(stores, member, repo.id)];
      const { id } = applied(await stores.issues.create(newIssueOn(repo), { queue: true }));
      await broughtToGate(stores, id);
      expect([await told(stores, all), await told(stores, ofRepo)]).toEqual([['gate.opened'], ['gate.opened']]);
      await stores.members.remove(repo.id, member.id);
      expect(await told(stores, all)).toEqual([]);
      expect(await stores.notifications.target(ofRepo)).toBeNull();
      const claimed = await stores.deliveries.claim('w', {
        limit: 10,
        ttlMs: 60_000,
        perTarget: 10,
        perUser: 100,
        busy: [],
      });
      expect(claimed).toEqual([]);
    });
  });
}
