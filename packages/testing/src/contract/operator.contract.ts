import type { AuditAct, NewAuditEntry } from '@sluice/core/audit';
import type { UserId } from '@sluice/core/id';
import { describe, expect, it } from 'vitest';
import { aNewUser } from '../builder/a-user.ts';
import { newId } from '../builder/ids.ts';
import { anAccount, anEncryptedGrant } from './code-host-samples.ts';
import { atOnce, type OpenStores, registeredUser, type StoreHarness, startedSession, tally } from './store-harness.ts';

/** What a `UserStore` promises of operators, on any database. */
export function operatorContract(name: string, open: OpenStores): void {
  describe(`operators on ${name}`, () => {
    it('are the first account alone, however it was made', async () => {
      for (const first of [
        (stores: StoreHarness) => registeredUser(stores),
        async ({ codehostLinks }: StoreHarness) => {
          const newcomer = { id: newId<UserId>(), onlyIfFirst: false };
          const outcome = await codehostLinks.signIn(anAccount(), (id) => anEncryptedGrant(id), newcomer);
          if (outcome.kind !== 'created') throw new Error(`the user was not created: ${outcome.kind}`);
          return outcome.user;
        },
      ]) {
        await using stores = await open();
        const operator = await first(stores);
        expect(operator.isOperator).toBe(true);
        expect(await stores.users.get(operator.id)).toEqual(operator);
        expect((await registeredUser(stores)).isOperator).toBe(false);
      }
    });

    it('are one when several accounts are made at the same time', async () => {
      await using stores = await open();
      await atOnce(8, () => stores.users.create(aNewUser()));
      expect(await operatorsOf(stores)).toHaveLength(1);
    });

    it('stay what they are after other changes of the account', async () => {
      await using stores = await open();
      const { id } = await registeredUser(stores);
      await stores.users.changeAccount(id, { name: 'Another', email: 'another@example.test', keep: null });
      await stores.users.disable(id);
      await stores.users.enable(id);
      expect(await operatorsOf(stores)).toEqual([id]);
    });

    it('are granted and revoked with an audit entry, and with none where nothing changes', async () => {
      await using stores = await open();
      const [first, second] = [await registeredUser(stores), await registeredUser(stores)];
      const session = await startedSession(stores, second.id);
      const granted = byOperator(second.id, 'account.operator_granted');
      const revoked = byOperator(second.id, 'account.operator_revoked');
      await stores.users.grantOperator(second.id, granted);
      await stores.users.grantOperator(second.id, granted);
      expect((await stores.users.account(second.id))?.user.isOperator).toBe(true);
      expect((await stores.sessions.find(session.id))?.user.isOperator).toBe(true);
      expect(await stores.users.revokeOperator(second.id, revoked)).toEqual({ kind: 'revoked' });
      expect(await stores.users.revokeOperator(second.id, revoked)).toEqual({ kind: 'revoked' });
      expect((await stores.sessions.find(session.id))?.user.isOperator).toBe(false);
      const { items } = await stores.audit.list(second.id, { limit: 9, cursor: null });
      expect(items.map(({ act }) => act.action)).toEqual(['account.operator_revoked', 'account.operator_granted']);
      expect(await operatorsOf(stores)).toEqual([first.id]);
    });

    it('cannot be revoked from the last of them who can log in', async () => {
      await using stores = await open();
      const [first, second] = [await registeredUser(stores), await registeredUser(stores)];
      const last = { kind: 'last_operator' };
      expect(await stores.users.revokeOperator(first.id)).toEqual(last);
      await stores.users.grantOperator(second.id);
      await stores.users.disable(second.id);
      expect(await stores.users.revokeOperator(first.id)).toEqual(last);
      expect(await operatorsOf(stores)).toEqual([second.id, first.id]);
    });

    it('keep one of them who can log in when they disable each other at the same time', async () => {
      await using stores = await open();
      const both = [await registeredUser(stores), await registeredUser(stores)].map(({ id }) => id);
      for (const id of both) await stores.users.grantOperator(id);
      const guarded = { evenLastOperator: false };
      const outcomes = await Promise.all(both.map((id) => stores.users.disable(id, guarded)));
      expect(tally(outcomes)).toEqual({ disabled: 1, last_operator: 1 });
      const [left = ''] = both.filter((_, at) => outcomes[at]?.kind === 'last_operator');
      expect(await stores.users.account(left)).toMatchObject({ disabledAt: null });
      const other = await registeredUser(stores);
      expect(await stores.users.disable(other.id, guarded)).toMatchObject({ kind: 'disabled' });
    });

    it('keep one of them when they revoke each other at the same time', async () => {
      await using stores = await open();
      const both = [await registeredUser(stores), await registeredUser(stores)].map(({ id }) => id);
      for (const id of both) await stores.users.grantOperator(id);
      const outcomes = await Promise.all(both.map((id) => stores.users.revokeOperator(id)));
      expect(tally(outcomes)).toEqual({ revoked: 1, last_operator: 1 });
      expect(await operatorsOf(stores)).toHaveLength(1);
    });
  });
}

async function operatorsOf({ users }: Pick<StoreHarness, 'users'>): Promise<UserId[]> {
  const { items } = await users.accounts({ limit: 100, cursor: null });
  return items.flatMap(({ user }) => (user.isOperator ? [user.id] : []));
}

function byOperator(
  userId: UserId,
  action: Extract<AuditAct['action'], 'account.operator_granted' | 'account.operator_revoked'>,
): NewAuditEntry {
  return { userId, actor: { kind: 'operator' }, act: { action, subjectId: null, detail: {} } };
}
