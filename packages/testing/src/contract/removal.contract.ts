import { callerOf } from '@sluice/core/access';
import type { Issue } from '@sluice/core/issue';
import type { Repo } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { aNewRepo } from '../builder/a-repo.ts';
import { newId } from '../builder/ids.ts';
import { hostedRepo } from './code-host-samples.ts';
import { applied, cancelled, claimed, eventsOf } from './pipeline-moves.ts';
import { aMessage } from './run-samples.ts';
import { newIssueOn, type OpenStores, type StoreHarness } from './store-harness.ts';

/** More than is deleted in one transaction. */
const MANY = 2_500;
const everything = { limit: 100, cursor: null };

/** What holds of a repository and of an issue from the moment of their removal, though their rows are deleted in pieces. */
export function removalContract(name: string, open: OpenStores): void {
  /** An ended issue with a long history. */
  async function longIssue(stores: StoreHarness, repo: Repo, codehost?: Issue['codehostNumber']): Promise<Issue> {
    const imported =
      codehost == null ? {} : { codehost: { number: codehost, commentId: null, url: 'https://x.test/7' } };
    const issue = applied(await stores.issues.create(newIssueOn(repo, imported), { queue: true }));
    const lease = await claimed(stores, issue.id);
    await stores.runs.record(
      lease,
      Array.from({ length: MANY }, () => aMessage),
    );
    return await cancelled(stores, issue.id);
  }
  /** @returns the number of pieces */
  const deleteAll = async ({ maintenance }: StoreHarness): Promise<number> => {
    let pieces = 0;
    while (await maintenance.deleteRemoved()) pieces += 1;
    return pieces;
  };

  describe(`a removed repository on ${name}`, () => {
    it('is hidden at once with its issues, and deleted in pieces', async () => {
      await using stores = await open();
      const repo = await hostedRepo(stores);
      const { userId, codehostRepoId } = repo;
      const issue = await longIssue(stores, repo, 7);
      const before = await stores.eventLog.settledUpTo();
      expect(await stores.repos.remove(repo.id)).toBe('removed');

      const { issues, repos, runs, codehostIndex } = stores;
      expect(await repos.get(repo.id)).toBeNull();
      expect(await repos.remove(repo.id)).toBe('absent');
      expect(await repos.update(repo.id, { name: 'other' })).toBeNull();
      expect((await repos.list(callerOf(userId), everything)).items).toEqual([]);
      expect(await issues.get(issue.id)).toBeNull();
      expect(await issues.remove(issue.id)).toBe('absent');
      expect((await issues.list({ ...everything, readableBy: callerOf(userId) })).items).toEqual([]);
      expect((await issues.list({ ...everything, readableBy: callerOf(userId), repoId: repo.id })).items).toEqual([]);
      expect(await eventsOf(stores, issue.id)).toEqual([]);
      expect(await runs.needingWorkspace([issue.id], new Date(0))).toEqual([]);
      expect(await codehostIndex.registrations(codehostRepoId ?? '')).toEqual([]);
      expect(
        (await stores.eventLog.changed(callerOf(userId), { after: before, upTo: null, limit: null })).issues,
      ).toEqual([]);

      expect(await deleteAll(stores)).toBeGreaterThan(0);
      expect(await deleteAll(stores)).toBe(0);
    });

    it('takes no new issue and no retry', async () => {
      await using stores = await open();
      const repo = await hostedRepo(stores);
      const issue = await longIssue(stores, repo);
      await stores.repos.remove(repo.id);
      for (const queue of [true, false]) {
        const creating = stores.issues.create(newIssueOn(repo), { queue });
        await expect(creating).rejects.toMatchObject({ code: 'repo_not_found' });
      }
      const retry = { issueId: issue.id, from: { status: 'failed' }, trigger: 'retried', events: [] } as const;
      expect(await stores.issues.apply(retry)).toEqual({ kind: 'stale' });
    });

    it('frees its address at once', async () => {
      await using stores = await open();
      const repo = await hostedRepo(stores);
      await longIssue(stores, repo, 7);
      await stores.repos.remove(repo.id);
      const { userId, canonicalRemote, codehostRepoId, provider } = repo;
      const again = await stores.repos.create(aNewRepo({ userId, canonicalRemote, codehostRepoId, provider }));
      if (again.kind !== 'created') throw new Error('The address is still taken.');
      const issue = await longIssue(stores, again.repo, 7);
      await deleteAll(stores);
      expect(await stores.issues.get(issue.id)).toEqual(issue);
      expect((await stores.repos.list(callerOf(userId), everything)).items.map(({ id }) => id)).toEqual([
        again.repo.id,
      ]);
    });
  });

  describe(`a removed issue on ${name}`, () => {
    it('is hidden at once, and deleted in pieces; its repository stays', async () => {
      await using stores = await open();
      const repo = await hostedRepo(stores);
      const issue = await longIssue(stores, repo, 7);
      const followUp = {
        parentIssueId: issue.id,
        codehost: { number: null, commentId: newId(), url: 'https://x.test/8' },
      };
      const child = applied(await stores.issues.create(newIssueOn(repo, followUp), { queue: false }));
      expect(await stores.issues.remove(issue.id)).toBe('removed');

      const { issues, runs, repos, codehostIndex } = stores;
      expect(await issues.get(issue.id)).toBeNull();
      expect(await issues.remove(issue.id)).toBe('absent');
      expect((await issues.get(child.id))?.parentIssueId).toBeNull();
      expect(
        (await issues.list({ ...everything, readableBy: callerOf(repo.userId) })).items.map(({ id }) => id),
      ).toEqual([child.id]);
      expect(await eventsOf(stores, issue.id)).toEqual([]);
      expect(await runs.needingWorkspace([issue.id], new Date(0))).toEqual([]);
      expect(await codehostIndex.imported(repo.id, [7])).toEqual(new Map());
      expect(await codehostIndex.wasRemoved(repo.id, { number: 7 })).toBe(true);
      expect((await repos.list(callerOf(repo.userId), everything)).items.map(({ id }) => id)).toEqual([repo.id]);

      expect(await deleteAll(stores)).toBeGreaterThan(0);
      expect(await repos.get(repo.id)).toEqual(repo);
      expect((await issues.get(child.id))?.id).toBe(child.id);
    });
  });
}
