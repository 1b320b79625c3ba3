import { callerOf } from '@sluice/core/access';
import type { AuditAct } from '@sluice/core/audit';
import type { Repo } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { aNewRepo } from '../builder/a-repo.ts';
import { newId } from '../builder/ids.ts';
import { untilFound } from '../wait/until.ts';
import { applied, cancelled, claimed, runningIssue } from './pipeline-moves.ts';
import { relocateContract } from './relocate.contract.ts';
import { anIndex, LONG_MS, SHORT_MS } from './run-samples.ts';
import { atOnce, newIssueOn, type OpenStores, registeredRepo, registeredUser, tally } from './store-harness.ts';

/** What a `RepoStore` promises, on any database. */
export function repoStoreContract(name: string, open: OpenStores): void {
  relocateContract(name, open);
  describe(`repositories on ${name}`, () => {
    it('are written as they were given and read as they were written', async () => {
      await using stores = await open();
      const given = aNewRepo({
        userId: (await registeredUser(stores)).id,
        testCommand: 'npm test',
        instructions: 'Be brief.\0',
        accessToken: { encrypted: 'k1:AAAA', nonce: 'BBBB' },
      });
      const outcome = await stores.repos.create(given);
      const now = stores.clock.now();
      const written: Repo = {
        ...given,
        instructions: 'Be brief.',
        activeIssueId: null,
        index: null,
        createdAt: now,
        updatedAt: now,
      };
      expect(outcome).toEqual({ kind: 'created', repo: written });
      expect(await stores.repos.get(given.id)).toEqual(written);
      expect(await stores.repos.get(newId())).toBeNull();
    });

    it('are listed for operators, of all users, with their members and their last activity', async () => {
      await using stores = await open();
      const [one, other] = [await registeredRepo(stores), await registeredRepo(stores)];
      const { id: memberId } = await registeredUser(stores);
      await stores.members.put({ repoId: one.id, userId: memberId, role: 'viewer', origin: 'added' });
      await stores.users.disable(other.userId);
      stores.clock.advance(1_000);
      const act: AuditAct = { action: 'repo.changed', subjectId: one.id, detail: { name: 'x', fields: ['name'] } };
      const needs = { repoId: one.id, role: 'admin' } as const;
      const actor = { kind: 'user', sessionId: null } as const;
      await stores.repos.update(one.id, {}, () => ({ userId: one.userId, actor, act, needs }));
      const first = await stores.repos.listAll({ limit: 1, cursor: null });
      const second = await stores.repos.listAll({ limit: 1, cursor: first.nextCursor });
      expect([...first.items, ...second.items]).toEqual([
        expect.objectContaining({ id: other.id, members: 1, lastActivityAt: other.updatedAt }),
        expect.objectContaining({ id: one.id, members: 2, lastActivityAt: stores.clock.now() }),
      ]);
      expect([first, second].map(({ items: [item] }) => item?.registrant)).toMatchObject([
        { id: other.userId, isDisabled: true },
        { id: one.userId, isDisabled: false },
      ]);
      expect(second.nextCursor).toBeNull();
      stores.clock.advance(1_000);
      applied(await stores.issues.create(newIssueOn(one), { queue: false }));
      expect((await stores.repos.listAll({ limit: 9, cursor: null })).items[1]).toMatchObject({
        lastActivityAt: stores.clock.now(),
      });
      await stores.repos.remove(other.id);
      expect((await stores.repos.listAll({ limit: 9, cursor: null })).items.map(({ id }) => id)).toEqual([one.id]);
      await expect(stores.repos.listAll({ limit: 1, cursor: 'x' })).rejects.toMatchObject({ code: 'cursor_invalid' });
    });

    it('are registered once per user and remote, however many ask at once', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const canonicalRemote = 'https://example.test/acme/one';
      const outcomes = await atOnce(8, () => stores.repos.create(aNewRepo({ userId, canonicalRemote })));
      expect(tally(outcomes)).toEqual({ created: 1, exists: 7 });
      const ids = outcomes.map((one) => (one.kind === 'created' ? one.repo.id : one.repoId));
      expect(new Set(ids).size).toBe(1);
      expect((await registeredRepo(stores, { canonicalRemote })).id).not.toBe(ids[0]);
    });

    it('are listed newest first, in pages, for their own user', async () => {
      await using stores = await open();
      const { id: userId } = await registeredUser(stores);
      const written: Repo[] = [];
      for (let count = 0; count < 5; count += 1) written.push(await registeredRepo(stores, { userId }));
      await registeredRepo(stores);
      const first = await stores.repos.list(callerOf(userId), { limit: 3, cursor: null });
      await registeredRepo(stores, { userId });
      const second = await stores.repos.list(callerOf(userId), { limit: 3, cursor: first.nextCursor });
      expect([...first.items, ...second.items]).toEqual(written.reverse());
      expect(second.nextCursor).toBeNull();
      await expect(stores.repos.list(callerOf(userId), { limit: 3, cursor: 'x' })).rejects.toMatchObject({
        code: 'cursor_invalid',
      });
    });

    it('change in what a patch names and in nothing else', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores, { testCommand: 'npm test', setupCommand: 'npm ci' });
      stores.clock.advance(1_000);
      const settings = { ...repo.settings, allow_red_base: true };
      const patched = await stores.repos.update(repo.id, { testCommand: null, name: undefined, settings });
      expect(patched).toEqual({ ...repo, testCommand: null, settings, updatedAt: stores.clock.now() });
      expect(await stores.repos.get(repo.id)).toEqual(patched);
      expect(await stores.repos.update(newId(), { name: 'x' })).toBeNull();
    });

    it('keep the settings that others change at the same time', async () => {
      await using stores = await open();
      const { id } = await registeredRepo(stores);
      await Promise.all([
        stores.repos.update(id, { settings: { plan_approvals: 2, allow_red_base: undefined } }),
        stores.repos.update(id, { settings: { requester_approves: false } }),
      ]);
      const wanted = { plan_approvals: 2, requester_approves: false, allow_red_base: false };
      expect((await stores.repos.get(id))?.settings).toMatchObject(wanted);
    });

    it('show the state of the code index as the worker that holds an issue of theirs saves it', async () => {
      await using stores = await open();
      const { id, repoId } = await runningIssue(stores);
      const other = await registeredRepo(stores);
      const old = await claimed(stores, id, SHORT_MS);
      await stores.runs.saveIndex(old, anIndex);
      expect((await stores.repos.get(repoId))?.index).toEqual(anIndex);
      expect((await stores.repos.get(other.id))?.index).toBeNull();
      await untilFound(() => stores.runs.claim(id, { owner: old.owner, ttlMs: LONG_MS }));
      expect(await stores.runs.saveIndex(old, { ...anIndex, commit: 'older' })).toBe(false);
      expect((await stores.repos.get(repoId))?.index).toEqual(anIndex);
    });

    it('name their active issue, never one of another user on the same remote', async () => {
      await using stores = await open();
      const canonicalRemote = 'https://example.test/acme/two';
      const mine = await registeredRepo(stores, { canonicalRemote });
      const theirs = await registeredRepo(stores, { canonicalRemote });
      const issue = applied(await stores.issues.create(newIssueOn(mine), { queue: true }));
      expect((await stores.repos.get(mine.id))?.activeIssueId).toBe(issue.id);
      expect((await stores.repos.get(theirs.id))?.activeIssueId).toBeNull();
      await cancelled(stores, issue.id);
      expect((await stores.repos.get(mine.id))?.activeIssueId).toBeNull();
    });

    it('cannot be removed while an issue is active on them, and go with their ended issues afterwards', async () => {
      await using stores = await open({ maxActivePipelines: 1 });
      const running = await runningIssue(stores);
      const queued = await runningIssue(stores);
      for (const { id, repoId } of [queued, running]) {
        expect(await stores.repos.remove(repoId)).toBe('active');
        await cancelled(stores, id);
        expect(await stores.repos.remove(repoId)).toBe('removed');
        expect(await stores.issues.get(id)).toBeNull();
        expect(await stores.repos.get(repoId)).toBeNull();
        expect(await stores.repos.remove(repoId)).toBe('absent');
      }
    });
  });
}
