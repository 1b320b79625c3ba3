import { callerOf } from '@sluice/core/access';
import type { User } from '@sluice/core/account';
import type { AuditAct, AuditFilter, NewAuditEntry } from '@sluice/core/audit';
import type { SessionId } from '@sluice/core/id';
import type { IssueStore } from '@sluice/core/issue';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { applied, cancelled, runningIssue } from './pipeline-moves.ts';
import { atOnce, newIssueOn, type OpenStores, registeredRepo, registeredUser } from './store-harness.ts';

/** What an `AuditStore`, and every write with an audit entry, promises on any database. */
export function auditContract(name: string, open: OpenStores): void {
  describe(`audit entries on ${name}`, () => {
    const actor = { kind: 'user', sessionId: newId<SessionId>() } as const;
    const entry = (userId: User['id'], act: AuditAct): NewAuditEntry => ({ userId, actor, act });
    const page = { limit: 100, cursor: null };

    it('are read as they were written, of one account or of all, newest first', async () => {
      await using stores = await open();
      const [ada, eve] = [await registeredUser(stores), await registeredUser(stores)];
      const at = stores.clock.now();
      const told = [];
      for (const { id: userId } of [ada, eve, ada]) {
        const detail = { name: 'a', fields: ['name'] };
        const act: AuditAct = { action: 'repo.changed', subjectId: newId(), detail };
        const repo = await registeredRepo(stores, { userId });
        await stores.repos.update(repo.id, { name: 'b' }, () => entry(userId, act));
        told.unshift({ ...entry(userId, act), at });
      }
      expect((await stores.audit.listAll(page)).items).toMatchObject(told);
      expect((await stores.audit.list(ada.id, page)).items).toEqual(told.filter(({ userId }) => userId === ada.id));
      const first = await stores.audit.listAll({ limit: 2, cursor: null });
      const second = await stores.audit.listAll({ limit: 2, cursor: first.nextCursor });
      expect([...first.items, ...second.items]).toMatchObject(told);
      expect(second.nextCursor).toBeNull();
      const matching = async (filter: AuditFilter) => (await stores.audit.listAll(page, filter)).items.length;
      const [newest] = first.items;
      expect(first.items.map(({ ordinal }) => ordinal)).toEqual(
        first.items.map(({ ordinal }) => ordinal).toSorted((a, b) => b - a),
      );
      expect(await matching({ userId: ada.id })).toBe(2);
      expect(await matching({ userId: ada.id, action: 'repo.changed', from: at })).toBe(2);
      expect(await matching({ action: 'repo.removed' })).toBe(0);
      expect(await matching({ to: at })).toBe(0);
      expect(await matching({ repoId: newest?.userId ?? '' })).toBe(0);
      await expect(stores.audit.listAll({ limit: 1, cursor: 'x' })).rejects.toMatchObject({
        code: 'cursor_invalid',
      });
    });

    it("of the installation are listed among all, and in no account's own list", async () => {
      await using stores = await open();
      const { id } = await registeredUser(stores);
      const at = stores.clock.now();
      const disabled: AuditAct = { action: 'account.disabled', subjectId: null, detail: { sessions_ended: 0 } };
      const operator = { kind: 'operator' } as const;
      await stores.users.disable(id, undefined, () => ({ userId: id, actor: operator, act: disabled }));
      const detail = { backup_of: at.toISOString(), by_version: '1.0.0' };
      await stores.audit.note({ action: 'installation.restored', detail });
      const own = { userId: id, actor: operator, act: disabled, at };
      const restored = { userId: null, act: { action: 'installation.restored', detail }, at };
      expect((await stores.audit.listAll(page)).items).toMatchObject([restored, own]);
      expect((await stores.audit.list(id, page)).items).toEqual([own]);
      const { nextCursor } = await stores.audit.listAll({ limit: 1, cursor: null });
      expect((await stores.audit.listAll({ limit: 1, cursor: nextCursor })).items).toMatchObject([own]);
    });

    it('match exactly the writes that took effect, under concurrency', async () => {
      await using stores = await open();
      const issue = await runningIssue(stores);
      const cancel: Parameters<IssueStore['apply']>[0] = {
        issueId: issue.id,
        from: { status: 'running' },
        trigger: 'cancelled',
        events: [],
        audit: entry(issue.userId, { action: 'issue.cancelled', subjectId: issue.id, detail: {} }),
      };
      const outcomes = await atOnce(6, () => stores.issues.apply(cancel));
      expect(outcomes.filter(({ kind }) => kind === 'applied')).toHaveLength(1);
      const removed = await atOnce(4, () =>
        stores.issues.remove(
          issue.id,
          entry(issue.userId, { action: 'issue.deleted', subjectId: issue.id, detail: {} }),
        ),
      );
      expect(removed.filter((outcome) => outcome === 'removed')).toHaveLength(1);
      const { items } = await stores.audit.list(issue.userId, page);
      expect(items.map(({ act }) => act.action)).toEqual(['issue.deleted', 'issue.cancelled']);
    });

    it('roll back their act when they cannot be written', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const issue = applied(await stores.issues.create(newIssueOn(repo), { queue: false }));
      // An entry outside the catalogue is a bug, and its write must fail.
      const broken = entry(repo.userId, {
        action: 'issue.edited',
        subjectId: issue.id,
        detail: { text: 'x' },
      } as never);
      const text = { title: 'Another', body: '', warnings: [] };
      await expect(stores.issues.edit(issue.id, text, broken)).rejects.toThrow();
      await expect(stores.issues.create(newIssueOn(repo), { queue: false, audit: broken })).rejects.toThrow();
      expect(await stores.issues.get(issue.id)).toEqual(issue);
      expect((await stores.issues.list({ readableBy: callerOf(repo.userId), ...page })).items).toHaveLength(1);
      await cancelled(stores, issue.id);
      await expect(stores.issues.remove(issue.id, broken)).rejects.toThrow();
      await expect(stores.repos.remove(repo.id, () => broken)).rejects.toThrow();
      expect(await stores.repos.get(repo.id)).not.toBeNull();
      expect((await stores.audit.listAll(page)).items).toEqual([]);
    });

    it('stay when the repository and its issues are removed', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const act = { action: 'repo.removed', subjectId: repo.id, detail: { name: repo.name } } as const;
      await stores.repos.remove(repo.id, (name) => entry(repo.userId, { ...act, detail: { name } }));
      expect((await stores.audit.list(repo.userId, page)).items.map((one) => one.act)).toEqual([act]);
    });
  });
}
