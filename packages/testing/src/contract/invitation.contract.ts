import type { RepoId, UserId } from '@sluice/core/id';
import { MAX_INVITATIONS, type NewInvitation } from '@sluice/core/invitation';
import { describe, expect, it } from 'vitest';
import { aNewUser } from '../builder/a-user.ts';
import { aNewInvitation } from '../builder/an-invitation.ts';
import { newId } from '../builder/ids.ts';
import { atOnce, type OpenStores, registeredRepo, registeredUser, type StoreHarness, tally } from './store-harness.ts';

const DAY_MS = 86_400_000;
const firstPage = { limit: 100, cursor: null };

/** What an `InvitationStore` promises, and what `UserStore.create` makes of an invitation, on any database. */
export function invitationContract(name: string, open: OpenStores): void {
  describe(`invitations on ${name}`, () => {
    const invite = async (stores: StoreHarness, given: Partial<NewInvitation> & Pick<NewInvitation, 'invitedBy'>) => {
      const expiresAt = new Date(stores.clock.now().getTime() + DAY_MS);
      const invitation = aNewInvitation({ expiresAt, ...given });
      const outcome = await stores.invitations.create(invitation);
      if (outcome.kind !== 'created') throw new Error(`The invitation was not created: ${outcome.kind}`);
      return invitation;
    };
    const accept = (stores: StoreHarness, { tokenHash, email }: NewInvitation, id = newId<UserId>()) =>
      stores.users.create({ ...aNewUser({ id, email, onlyIfFirst: true }), invitationHash: tokenHash });
    const acceptOfOperator = (stores: StoreHarness, { tokenHash, email }: NewInvitation) =>
      stores.users.create({
        ...aNewUser({ email, onlyIfFirst: true }),
        ...{ invitationHash: tokenHash, onlyOperatorsInvite: true },
      });
    const waiting = async (stores: StoreHarness, of: { repoId: RepoId } | 'all' = 'all') =>
      (await stores.invitations.list(of, firstPage)).items.map(({ id }) => id);

    it('are listed newest first while they wait, all or of one repository, without their tokens', async () => {
      await using stores = await open();
      const operator = await registeredUser(stores);
      const repo = await registeredRepo(stores);
      const plain = await invite(stores, { invitedBy: operator.id });
      const into = await invite(stores, { invitedBy: repo.userId, repo: { id: repo.id, role: 'approver' } });
      const { items } = await stores.invitations.list('all', firstPage);
      expect(items).toMatchObject([
        { id: into.id, repo: { id: repo.id, name: repo.name, role: 'approver' }, invitedBy: { id: repo.userId } },
        { id: plain.id, email: plain.email, repo: null, expiresAt: plain.expiresAt, createdAt: stores.clock.now() },
      ]);
      expect(JSON.stringify(items)).not.toContain(plain.tokenHash);
      expect(await waiting(stores, { repoId: repo.id })).toEqual([into.id]);
      const first = await stores.invitations.list('all', { limit: 1, cursor: null });
      const next = await stores.invitations.list('all', { limit: 1, cursor: first.nextCursor });
      expect([next.items[0]?.id, next.nextCursor]).toEqual([plain.id, null]);
      await stores.repos.remove(repo.id);
      expect(await waiting(stores)).toEqual([plain.id]);
    });

    it('make one account, with a membership and an entry in the audit log, where others are refused', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const invitation = await invite(stores, { invitedBy: repo.userId, repo: { id: repo.id, role: 'approver' } });
      const stranger = await stores.users.create(aNewUser({ onlyIfFirst: true }));
      expect(stranger).toEqual({ kind: 'closed' });
      const outcomes = await atOnce(6, () => accept(stores, invitation));
      expect(tally(outcomes)).toEqual({ created: 1, invitation_invalid: 5 });
      const [made] = outcomes.flatMap((one) => (one.kind === 'created' ? [one.user] : []));
      const userId = made?.id ?? newId<UserId>();
      expect(made?.isOperator).toBe(false);
      expect(await stores.members.role(repo.id, userId)).toBe('approver');
      expect(await waiting(stores)).toEqual([]);
      expect((await accept(stores, invitation)).kind).toBe('invitation_invalid');
      const { items } = await stores.audit.listAll(firstPage);
      expect(items.map(({ userId: of, act }) => [act.action, of, act.detail])).toEqual([
        ['repo.member_put', repo.userId, { user_id: userId, role: 'approver' }],
        ['invitation.accepted', userId, { invited_by: repo.userId, repo_id: repo.id, role: 'approver' }],
      ]);
    });

    it('are for their own e-mail, in any case, and are not used up by what fails', async () => {
      await using stores = await open();
      const operator = await registeredUser(stores);
      const invitation = await invite(stores, { invitedBy: operator.id, email: 'Grace@example.test' });
      expect((await accept(stores, { ...invitation, email: 'eve@example.test' })).kind).toBe('invitation_invalid');
      expect((await accept(stores, { ...invitation, tokenHash: 'x' })).kind).toBe('invitation_invalid');
      await stores.users.create(aNewUser({ email: 'grace@example.test' }));
      expect((await accept(stores, invitation)).kind).toBe('email_taken');
      expect(await waiting(stores)).toEqual([invitation.id]);
      const another = await invite(stores, { invitedBy: operator.id });
      expect((await accept(stores, { ...another, email: another.email.toUpperCase() })).kind).toBe('created');
    });

    it('end with time, when they are taken back, and when the same e-mail is invited again', async () => {
      await using stores = await open();
      const operator = await registeredUser(stores);
      const [late, taken, replaced] = [
        await invite(stores, { invitedBy: operator.id }),
        await invite(stores, { invitedBy: operator.id }),
        await invite(stores, { invitedBy: operator.id }),
      ];
      expect(await stores.invitations.remove(taken.id, { repoId: newId() })).toBe(false);
      expect(await stores.invitations.remove(taken.id, 'all')).toBe(true);
      expect(await stores.invitations.remove(taken.id, 'all')).toBe(false);
      const again = await invite(stores, { invitedBy: operator.id, email: replaced.email });
      expect(await waiting(stores)).toEqual([again.id, late.id]);
      for (const one of [taken, replaced]) expect((await accept(stores, one)).kind).toBe('invitation_invalid');
      stores.clock.advance(DAY_MS);
      for (const one of [again, late]) expect((await accept(stores, one)).kind).toBe('invitation_invalid');
      stores.clock.advance(30 * DAY_MS + 1);
      await stores.maintenance.clearExpired({ before: stores.clock.now(), limit: 100 });
      expect(await waiting(stores)).toEqual([]);
    });

    it('of admins of a repository are void where only operators invite', async () => {
      await using stores = await open();
      const operator = await registeredUser(stores);
      await stores.users.grantOperator(operator.id);
      const [own, other] = [await registeredRepo(stores, { userId: operator.id }), await registeredRepo(stores)];
      const into = ({ id }: { id: RepoId }) => ({ id, role: 'viewer' }) as const;
      const ofAdmin = await invite(stores, { invitedBy: other.userId, repo: into(other) });
      const ofOperator = await invite(stores, { invitedBy: operator.id, repo: into(own) });
      expect((await acceptOfOperator(stores, ofAdmin)).kind).toBe('invitation_invalid');
      expect((await acceptOfOperator(stores, ofOperator)).kind).toBe('created');
      expect((await accept(stores, ofAdmin)).kind).toBe('created');
    });

    it('are void once the person who invited may no longer do so', async () => {
      await using stores = await open();
      const [operator, other] = [await registeredUser(stores), await registeredUser(stores)];
      await stores.users.grantOperator(other.id);
      const repo = await registeredRepo(stores);
      const admin = await registeredUser(stores);
      await stores.members.put({ repoId: repo.id, userId: admin.id, role: 'admin', origin: 'added' });
      const into = { id: repo.id, role: 'viewer' } as const;
      const [byOperator, byAdmin, byDisabled] = [
        await invite(stores, { invitedBy: operator.id }),
        await invite(stores, { invitedBy: admin.id, repo: into }),
        await invite(stores, { invitedBy: repo.userId, repo: into }),
      ];
      await stores.users.revokeOperator(operator.id);
      await stores.members.put({ repoId: repo.id, userId: admin.id, role: 'approver', origin: 'added' });
      await stores.users.disable(repo.userId);
      for (const one of [byOperator, byAdmin, byDisabled])
        expect((await accept(stores, one)).kind).toBe('invitation_invalid');
      await stores.users.enable(repo.userId);
      expect((await accept(stores, byDisabled)).kind).toBe('created');
    });

    it('are at most so many of one user, also when they are made at once, and none of a disabled one', async () => {
      await using stores = await open();
      const { id: invitedBy } = await registeredUser(stores);
      for (let made = 0; made < MAX_INVITATIONS - 2; made += 1) await invite(stores, { invitedBy });
      const expiresAt = new Date(stores.clock.now().getTime() + DAY_MS);
      const outcomes = await atOnce(4, () => stores.invitations.create(aNewInvitation({ invitedBy, expiresAt })));
      expect(tally(outcomes)).toEqual({ created: 2, full: 2 });
      await stores.users.disable(invitedBy);
      const refused = await stores.invitations.create(aNewInvitation({ invitedBy, expiresAt }));
      expect(refused).toEqual({ kind: 'disabled' });
    });
  });
}
