import type { NewAuditEntry } from '@sluice/core/audit';
import type { UserId } from '@sluice/core/id';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { anAccount, anEncryptedGrant, aSubject, hostedRepo } from './code-host-samples.ts';
import { applied, cancelled } from './pipeline-moves.ts';
import { atOnce, newIssueOn, type OpenStores, registeredRepo, registeredUser } from './store-harness.ts';

const OLD = 'https://old.test';
const NEW = 'https://new.test:8443';
const addressOf = (origin: string, name: string) => ({
  url: `${origin}/Acme/${name}`,
  canonicalRemote: `${origin}/acme/${name.toLowerCase()}`,
});

const unlinked = (userId: UserId): NewAuditEntry => ({
  userId,
  actor: { kind: 'operator' },
  act: { action: 'account.unlinked', subjectId: null, detail: {} },
});

/** What a `CodeHostSiteStore` promises, on any database. */
export function codeHostSiteContract(name: string, open: OpenStores): void {
  describe(`the code host that a database is of, on ${name}`, () => {
    it('is set by the first of several concurrent callers', async () => {
      await using stores = await open();
      expect(await stores.codehostSite.kept()).toBe(null);
      const origins = await atOnce(8, (index) => stores.codehostSite.claim(index % 2 === 0 ? OLD : NEW));
      expect(new Set(origins).size).toBe(1);
      for (const origin of [OLD, NEW]) expect(await stores.codehostSite.claim(origin)).toBe(origins[0]);
      expect(await stores.codehostSite.kept()).toBe(origins[0]);
    });

    it('takes its registrations and what is in progress on them to its new address, and nothing else', async () => {
      await using stores = await open();
      const { codehostSite, repos, issues } = stores;
      expect(await codehostSite.move(NEW)).toEqual({ kind: 'none' });
      await codehostSite.claim(OLD);
      const codehostRepoId = newId();
      const mine = await hostedRepo(stores, { ...addressOf(OLD, 'Sum'), codehostRepoId });
      const theirs = await hostedRepo(stores, { ...addressOf(OLD, 'Sum'), codehostRepoId });
      const plain = await registeredRepo(stores, addressOf(OLD, 'Plain'));
      const issue = applied(await issues.create(newIssueOn(mine), { queue: true }));
      const account = anAccount();
      await stores.codehostLinks.link(mine.userId, account, anEncryptedGrant());
      stores.clock.advance(1_000);
      expect(await codehostSite.move(NEW)).toEqual({ kind: 'moved', from: OLD, repos: 2 });
      const moved = { ...addressOf(NEW, 'Sum'), updatedAt: stores.clock.now() };
      expect(await repos.get(mine.id)).toEqual({ ...mine, ...moved, activeIssueId: issue.id });
      expect(await repos.get(theirs.id)).toEqual({ ...theirs, ...moved });
      expect(await repos.get(plain.id)).toEqual(plain);
      expect(await issues.create(newIssueOn(theirs), { queue: true })).toMatchObject({ kind: 'repo_busy' });
      expect((await stores.users.get(mine.userId))?.codehostId).toBe(account.id);
      expect(await stores.codehostLinks.grant(mine.userId)).not.toBeNull();
      expect(await codehostSite.claim(OLD)).toBe(NEW);
      expect(await codehostSite.move(NEW)).toEqual({ kind: 'moved', from: NEW, repos: 0 });
    });

    it('stays where it is as long as one registration cannot follow', async () => {
      await using stores = await open();
      const { codehostSite, repos } = stores;
      await codehostSite.claim(OLD);
      const free = await hostedRepo(stores, addressOf(OLD, 'Free'));
      const twice = await hostedRepo(stores, addressOf(OLD, 'Twice'));
      const byUrl = await registeredRepo(stores, { ...addressOf(NEW, 'Twice'), userId: twice.userId });
      const busy = await hostedRepo(stores, addressOf(OLD, 'Busy'));
      const other = await registeredRepo(stores, addressOf(NEW, 'Busy'));
      await stores.issues.create(newIssueOn(busy), { queue: true });
      const holder = applied(await stores.issues.create(newIssueOn(other), { queue: true }));
      expect(await codehostSite.move(NEW)).toEqual({
        kind: 'blocked',
        from: OLD,
        blocked: [
          { repoId: twice.id, userId: twice.userId, by: { kind: 'registration', id: byUrl.id } },
          { repoId: busy.id, userId: busy.userId, by: { kind: 'issue', id: holder.id } },
        ],
      });
      expect(await repos.get(free.id)).toEqual(free);
      expect(await codehostSite.claim(NEW)).toBe(OLD);
      await repos.remove(byUrl.id);
      await cancelled(stores, holder.id);
      const acts = async () => (await stores.audit.listAll({ limit: 9, cursor: null })).items.map(({ act }) => act);
      expect(await acts()).toEqual([]);
      expect(await codehostSite.move(NEW)).toMatchObject({ kind: 'moved', repos: 3 });
      // Done again it changes nothing, and is no act.
      expect(await codehostSite.move(NEW)).toMatchObject({ kind: 'moved', repos: 0 });
      expect(await acts()).toEqual([
        { action: 'installation.codehost_moved', detail: { from: OLD, to: NEW, repos: 3 } },
      ]);
    });

    it('is forgotten with everything that was of it, and its users and registrations stay', async () => {
      await using stores = await open();
      const { codehostSite, codehostLinks, codehostInbox, users, repos } = stores;
      expect(await codehostSite.forget(unlinked)).toEqual({ origin: null, users: [], repos: 0 });
      await codehostSite.claim(OLD);
      const account = anAccount();
      const repo = await hostedRepo(stores, addressOf(OLD, 'Sum'));
      await codehostLinks.link(repo.userId, account, anEncryptedGrant());
      const bystander = await registeredUser(stores);
      const plain = await registeredRepo(stores, { userId: bystander.id });
      await codehostInbox.deliver('d-1', aSubject({ codehostRepoId: repo.codehostRepoId ?? '' }));
      const nonce = newId();
      await stores.signInFlows.beginFlow({ nonce, expiresAt: new Date(stores.clock.now().getTime() + 60_000) });
      const forgotten = await codehostSite.forget(unlinked);
      expect(forgotten).toEqual({ origin: OLD, users: [repo.userId], repos: 1 });

      expect(await users.get(repo.userId)).toMatchObject({ codehostId: null, codehostLogin: null });
      expect(await codehostLinks.grant(repo.userId)).toBeNull();
      expect(await codehostLinks.replaceGrant(repo.userId, 1, anEncryptedGrant('late'))).toBe(false);
      expect(await stores.signInFlows.consumeFlow(nonce)).toBe(false);
      expect(await codehostInbox.claim('w', { limit: 10, ttlMs: 1_000 })).toEqual([]);
      expect(await codehostInbox.claimPolls('w', { everyMs: 1, limit: 10 })).toEqual([]);
      expect(await codehostInbox.deliver('d-1', null)).toBe(true);
      const { url, canonicalRemote } = repo;
      expect(await repos.get(repo.id)).toMatchObject({ provider: 'git', codehostRepoId: null, url, canonicalRemote });
      expect(await repos.get(plain.id)).toEqual(plain);
      const { items } = await stores.audit.listAll({ limit: 10, cursor: null });
      expect(items.map(({ userId, act }) => [userId, act.action])).toEqual([
        [null, 'installation.codehost_forgotten'],
        [repo.userId, 'account.unlinked'],
      ]);
      expect(items[0]?.act.detail).toEqual({ codehost: OLD, users: 1, repos: 1 });
      // The account of that number is another person's at the next host.
      expect(await codehostSite.claim(NEW)).toBe(NEW);
      const newcomer = { id: newId<UserId>(), onlyIfFirst: false };
      expect(await codehostLinks.signIn(account, (id) => anEncryptedGrant(id), newcomer)).toMatchObject({
        kind: 'created',
      });
    });
  });
}
