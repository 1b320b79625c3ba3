import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { untilFound } from '../wait/until.ts';
import { hostedRepo } from './code-host-samples.ts';
import { SHORT_MS } from './run-samples.ts';
import { atOnce, type OpenStores, registeredRepo } from './store-harness.ts';

const EVERY = { everyMs: 3_600_000, limit: 100 };

/** What a `CodeHostInbox` promises of the repositories that it has asked. */
export function codeHostPollContract(open: OpenStores): void {
  describe('a repository', () => {
    it('is asked as soon as it is registered from the code host, once for all who registered it', async () => {
      await using stores = await open();
      const { codehostRepoId } = await hostedRepo(stores);
      await hostedRepo(stores, { codehostRepoId });
      await registeredRepo(stores);
      await registeredRepo(stores, { codehostRepoId: newId() });
      expect(await stores.codehostInbox.claimPolls('w', EVERY)).toEqual([{ codehostRepoId, cursor: null }]);
      expect(await stores.codehostInbox.claimPolls('w', EVERY)).toEqual([]);
    });

    it('is polled by one of several concurrent processes', async () => {
      await using stores = await open();
      const repos = await atOnce(12, () => hostedRepo(stores));
      const claims = await atOnce(6, (index) => stores.codehostInbox.claimPolls(`w-${index}`, { ...EVERY, limit: 5 }));
      for (const claim of claims) expect(claim.length).toBeLessThanOrEqual(5);
      const rest = await stores.codehostInbox.claimPolls('w-rest', EVERY);
      const all = [...claims, rest].flat().map(({ codehostRepoId }) => codehostRepoId);
      expect(all.toSorted()).toEqual(repos.map(({ codehostRepoId }) => codehostRepoId).toSorted());
    });

    it('is polled again after the interval, from the last cursor', async () => {
      await using stores = await open();
      const { codehostInbox: inbox } = stores;
      const { codehostRepoId } = await hostedRepo(stores);
      await inbox.claimPolls('w', { ...EVERY, everyMs: SHORT_MS });
      await inbox.savePoll(codehostRepoId ?? '', 'e-1');
      const again = await untilFound(async () => (await inbox.claimPolls('w', EVERY))[0]);
      expect(again).toEqual({ codehostRepoId, cursor: 'e-1' });
    });

    it('is not polled without a registration, and is polled from the start when it is registered again', async () => {
      await using stores = await open();
      const { codehostInbox: inbox, repos } = stores;
      const mine = await hostedRepo(stores);
      const { codehostRepoId } = mine;
      const theirs = await hostedRepo(stores, { codehostRepoId });
      const asked = () => inbox.claimPolls('w', { ...EVERY, everyMs: 0 });
      await inbox.savePoll(codehostRepoId ?? '', 'e-1');
      await repos.remove(mine.id);
      expect(await untilFound(async () => (await asked())[0])).toEqual({ codehostRepoId, cursor: 'e-1' });
      await hostedRepo(stores, { codehostRepoId, userId: mine.userId });
      expect(await untilFound(async () => (await asked())[0])).toEqual({ codehostRepoId, cursor: 'e-1' });
      for (const { id } of await stores.codehostIndex.registrations(codehostRepoId ?? '')) await repos.remove(id);
      expect(theirs.codehostRepoId).toBe(codehostRepoId);
      expect(await asked()).toEqual([]);
      await hostedRepo(stores, { codehostRepoId });
      expect(await untilFound(async () => (await asked())[0])).toEqual({ codehostRepoId, cursor: null });
    });
  });
}
