import type { HostedName } from '@sluice/core/code-host';
import type { HostedPlace, Repo } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { hostedRepo } from './code-host-samples.ts';
import { applied, cancelled } from './pipeline-moves.ts';
import { atOnce, newIssueOn, type OpenStores, registeredRepo, type StoreHarness, tally } from './store-harness.ts';

const HOST = 'https://host.test';

const at = (name: HostedName): HostedPlace => ({ host: HOST, name });

/** A registration of `acme/NAME`. */
function registered(stores: StoreHarness, name: string, overrides: Partial<Repo> = {}): Promise<Repo> {
  const [url, canonicalRemote] = [`${HOST}/Acme/${name}`, `${HOST}/acme/${name.toLowerCase()}`];
  return hostedRepo(stores, { name: `Acme/${name}`, url, canonicalRemote, ...overrides });
}

async function activeOn(stores: StoreHarness, repo: Repo) {
  return applied(await stores.issues.create(newIssueOn(repo), { queue: true }));
}

/** The contract of repositories that are renamed at the code host, on any database. */
export function relocateContract(name: string, open: OpenStores): void {
  describe(`a repository that moves at the code host, on ${name}`, () => {
    it('is registered by its new address everywhere, and keeps the name that its user has chosen', async () => {
      await using stores = await open();
      const codehostRepoId = newId();
      const mine = await registered(stores, 'Old', { codehostRepoId });
      const theirs = await registered(stores, 'Old', { codehostRepoId, name: 'My own', url: `${HOST}/acme/old` });
      const another = await registered(stores, 'Old');
      stores.clock.advance(1_000);
      const moved = { url: `${HOST}/Bob/New.js`, canonicalRemote: `${HOST}/bob/new.js`, updatedAt: stores.clock.now() };
      const outcome = await stores.repos.relocate(mine.id, at('Bob/New.js'));
      expect(outcome).toEqual({ kind: 'relocated', repo: { ...mine, ...moved, name: 'Bob/New.js' } });
      expect(await stores.repos.get(theirs.id)).toEqual({ ...theirs, ...moved });
      expect(await stores.repos.get(another.id)).toEqual(another);
      expect(await stores.repos.relocate(mine.id, at('Bob/New.js'))).toEqual(outcome);
      expect(await stores.repos.relocate(newId(), at('Bob/New.js'))).toEqual({ kind: 'absent' });
    });

    it('stays where it is when its address is no owner and name at the host', async () => {
      await using stores = await open();
      const codehostRepoId = newId();
      const mine = await registered(stores, 'Old', { codehostRepoId });
      const nested = await registered(stores, 'Old', {
        ...{ codehostRepoId, url: `${HOST}/group/Acme/Old`, canonicalRemote: `${HOST}/group/acme/old` },
      });
      const elsewhere = await registered(stores, 'Old', { codehostRepoId, url: 'https://other.test/Acme/Old' });
      expect(await stores.repos.relocate(mine.id, at('Bob/New'))).toMatchObject({ kind: 'relocated' });
      for (const repo of [nested, elsewhere]) {
        expect(await stores.repos.relocate(repo.id, at('Bob/New'))).toEqual({ kind: 'absent' });
        expect(await stores.repos.get(repo.id)).toEqual(repo);
      }
    });

    it('is held by its active issue under the new address, and the old address is free', async () => {
      await using stores = await open();
      const codehostRepoId = newId();
      const mine = await registered(stores, 'Old', { codehostRepoId });
      const theirs = await registered(stores, 'Old', { codehostRepoId });
      const issue = await activeOn(stores, mine);
      await stores.repos.relocate(theirs.id, at('Acme/New'));
      expect((await stores.repos.get(mine.id))?.activeIssueId).toBe(issue.id);
      const busy = { kind: 'repo_busy', holder: { issueId: issue.id, repoId: mine.id } };
      for (const repo of [theirs, await registered(stores, 'New')]) {
        expect(await stores.issues.create(newIssueOn(repo), { queue: true })).toEqual(busy);
      }
      await activeOn(stores, await registered(stores, 'Old'));
      await cancelled(stores, issue.id);
      await activeOn(stores, theirs);
    });

    it('stays where it is while an issue of it and one at its new address are active', async () => {
      await using stores = await open();
      const mine = await registered(stores, 'Old');
      const other = await registered(stores, 'New');
      const issue = await activeOn(stores, mine);
      const holder = await activeOn(stores, other);
      expect(await stores.repos.relocate(mine.id, at('Acme/New'))).toEqual({
        kind: 'busy',
        holder: { issueId: holder.id, repoId: other.id },
      });
      expect(await stores.repos.get(mine.id)).toEqual({ ...mine, activeIssueId: issue.id });
      await cancelled(stores, holder.id);
      expect(await stores.repos.relocate(mine.id, at('Acme/New'))).toMatchObject({ kind: 'relocated' });
      expect((await stores.repos.get(mine.id))?.activeIssueId).toBe(issue.id);
    });

    it('stays where it is for a user who has registered the new address already, and moves for others', async () => {
      await using stores = await open();
      const codehostRepoId = newId();
      const mine = await registered(stores, 'Old', { codehostRepoId });
      const theirs = await registered(stores, 'Old', { codehostRepoId });
      const { userId } = mine;
      const byUrl = await registeredRepo(stores, { userId, canonicalRemote: `${HOST}/acme/new` });
      const taken = { kind: 'taken', repoId: byUrl.id };
      expect(await stores.repos.relocate(mine.id, at('Acme/New'))).toEqual(taken);
      expect(await stores.repos.get(mine.id)).toEqual(mine);
      expect(await stores.repos.get(theirs.id)).toMatchObject({ canonicalRemote: `${HOST}/acme/new` });
    });

    it('is never active twice at one address, however issues begin and addresses change at once', async () => {
      await using stores = await open({ maxActivePipelines: 20 });
      const codehostRepoId = newId();
      const repos: Repo[] = [];
      for (let count = 0; count < 4; count += 1) repos.push(await registered(stores, 'Old', { codehostRepoId }));
      for (let count = 0; count < 4; count += 1) repos.push(await registered(stores, 'New', { codehostRepoId }));
      const begun = atOnce(8, async (index) => {
        const repo = repos[index] as Repo;
        return await stores.issues.create(newIssueOn(repo), { queue: true });
      });
      const moved = atOnce(4, (index) => stores.repos.relocate((repos[index] as Repo).id, at('Acme/New')));
      const [issues] = await Promise.all([begun, moved]);
      for (const { id } of repos) await stores.repos.relocate(id, at('Acme/New'));
      const active = [];
      for (const repo of repos) {
        const now = await stores.repos.get(repo.id);
        if (now?.activeIssueId != null) active.push(now.canonicalRemote);
      }
      expect(new Set(active).size).toBe(active.length);
      expect(tally(issues).applied).toBe(active.length);
    });
  });
}
