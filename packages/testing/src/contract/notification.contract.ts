import type { NewAuditEntry } from '@sluice/core/audit';
import type { IssueId } from '@sluice/core/id';
import type {
  AttemptEnd,
  ClaimedDelivery,
  Delivery,
  NewNotificationTarget,
  NotificationTarget,
  StoredNotification,
} from '@sluice/core/notification';
import type { Repo } from '@sluice/core/repo';
import { describe, expect, it } from 'vitest';
import { newId } from '../builder/ids.ts';
import { untilFound } from '../wait/until.ts';
import { applied, broughtToGate, cancelled, failed } from './pipeline-moves.ts';
import { LONG_MS, SHORT_MS } from './run-samples.ts';
import {
  atOnce,
  newIssueOn,
  type OpenStores,
  registeredRepo,
  registeredUser,
  type StoreHarness,
} from './store-harness.ts';

const ALL = { limit: 100, ttlMs: LONG_MS, perTarget: 100, perUser: 100, busy: [] };
const everything = { limit: 100, cursor: null };
const secretOf = (text: string) => ({ id: newId(), encryptedToken: { encrypted: `1:${text}`, nonce: text } });

const delivered: AttemptEnd = {
  status: 'delivered',
  lastStatus: 204,
  lastError: null,
  latencyMs: 7,
  retryInMs: 0,
  disable: null,
};
const refused = (overrides: Partial<AttemptEnd> = {}): AttemptEnd => ({
  status: 'pending',
  lastStatus: 500,
  lastError: 'The receiver answered 500.',
  latencyMs: 7,
  retryInMs: 0,
  disable: null,
  ...overrides,
});

/** A webhook for the gates and failures of a user's issues. */
export function aTarget(userId: Repo['userId'], overrides: Partial<NewNotificationTarget> = {}): NewNotificationTarget {
  return {
    id: newId(),
    userId,
    channel: 'webhook',
    url: { encrypted: '1:url', nonce: 'url' },
    format: 'standard',
    events: ['gate.opened', 'issue.failed'],
    repoId: null,
    description: null,
    ...overrides,
  };
}

async function createdTarget(stores: StoreHarness, target: NewNotificationTarget): Promise<NotificationTarget> {
  const outcome = await stores.notifications.createTarget(target, secretOf('one'));
  if (outcome.kind !== 'created') throw new Error(`the target was not created: ${outcome.kind}`);
  return outcome.target;
}

/** A repository with a target for its gates and failures. */
async function notified(stores: StoreHarness, overrides: Partial<NewNotificationTarget> = {}) {
  const repo = await registeredRepo(stores);
  const target = await createdTarget(stores, aTarget(repo.userId, overrides));
  return { repo, target };
}

/** An issue that has come to its gate. */
async function atGate(stores: StoreHarness, repo: Repo): Promise<IssueId> {
  const { id } = applied(await stores.issues.create(newIssueOn(repo), { queue: true }));
  await broughtToGate(stores, id);
  return id;
}

/** An issue that came to its gate, was approved, and failed: two notifications. */
async function failedAfterGate(stores: StoreHarness, repo: Repo): Promise<IssueId> {
  const id = await atGate(stores, repo);
  const approval = {
    issueId: id,
    from: { status: 'awaiting_approval' },
    trigger: 'plan_approved',
    events: [],
  } as const;
  applied(await stores.issues.apply(approval));
  await failed(stores, id);
  return id;
}

const kindsOf = (deliveries: readonly Delivery[]) => deliveries.map(({ notification }) => notification.type);
const ofTarget = async ({ notifications }: StoreHarness, { id }: NotificationTarget) =>
  (await notifications.deliveries({ ...everything, targetId: id })).items;

async function claimOne({ deliveries }: StoreHarness, owner = 'w'): Promise<ClaimedDelivery> {
  const [claimed] = await deliveries.claim(owner, ALL);
  if (claimed === undefined) throw new Error('no delivery could be claimed');
  return claimed;
}

/** What `NotificationStore` and `DeliveryQueue` promise, on any database. */
export function notificationContract(name: string, open: OpenStores): void {
  describe(`notifications on ${name}`, () => {
    it('are written with their event, for the targets that want them', async () => {
      await using stores = await open();
      const { repo, target } = await notified(stores);
      const others = [
        await createdTarget(stores, aTarget(repo.userId, { events: ['issue.completed'] })),
        await createdTarget(
          stores,
          aTarget(repo.userId, { repoId: (await registeredRepo(stores, { userId: repo.userId })).id }),
        ),
        await createdTarget(stores, aTarget((await registeredUser(stores)).id)),
        await createdTarget(stores, aTarget(repo.userId)),
      ];
      await stores.notifications.updateTarget(others.at(-1)?.id ?? '', { disabledReason: 'You disabled it.' });
      const same = await createdTarget(stores, aTarget(repo.userId, { repoId: repo.id }));
      const issueId = await atGate(stores, repo);
      for (const other of others) expect(await ofTarget(stores, other)).toEqual([]);
      expect(kindsOf(await ofTarget(stores, same))).toEqual(['gate.opened']);
      const [delivery] = await ofTarget(stores, target);
      const issue = await stores.issues.get(issueId);
      expect(delivery).toEqual({
        id: expect.any(String),
        messageId: `msg_${delivery?.id}`,
        replayOf: null,
        targetId: target.id,
        issueId,
        notification: {
          type: 'gate.opened',
          timestamp: stores.clock.now().toISOString(),
          data: {
            issue_id: issueId,
            title: issue?.title,
            repo: { id: repo.id, name: repo.name },
            status: 'awaiting_approval',
            revision: 1,
            expires_at: null,
            approvals: 0,
            approvals_needed: 1,
          },
        },
        status: 'pending',
        attempts: 0,
        nextAttemptAt: expect.any(Date),
        lastStatus: null,
        lastError: null,
        latencyMs: null,
        createdAt: stores.clock.now(),
        endedAt: null,
      });
    });

    it('are not written for a change that is refused, nor for a disabled user', async () => {
      await using stores = await open();
      const { repo, target } = await notified(stores);
      const { id } = applied(await stores.issues.create(newIssueOn(repo), { queue: true }));
      const change = { issueId: id, from: { status: 'running', lastSeq: 99 }, trigger: 'gave_up' } as const;
      const error = { stage: 'test', detail: 'Red.' };
      expect((await stores.issues.apply({ ...change, set: { error }, events: [] })).kind).toBe('stale');
      await stores.users.disable(repo.userId);
      await failed(stores, id);
      expect(await ofTarget(stores, target)).toEqual([]);
    });

    it('of one issue are claimed one after the other, those of others beside them', async () => {
      await using stores = await open();
      const { repo, target } = await notified(stores);
      const first = await failedAfterGate(stores, repo);
      const second = await failedAfterGate(stores, repo);
      const claimed = await stores.deliveries.claim('w', ALL);
      expect(claimed.map(({ issueId, attempts }) => [issueId, attempts])).toEqual([
        [first, 1],
        [second, 1],
      ]);
      expect(claimed[0]).toMatchObject({
        target: { id: target.id },
        user: { id: repo.userId, isEnabled: true },
        secrets: [{ encryptedToken: { encrypted: '1:one', nonce: 'one' }, expiresAt: null }],
      });
      expect(await stores.deliveries.claim('w', ALL)).toEqual([]);
      const [one, other] = claimed as [ClaimedDelivery, ClaimedDelivery];
      await stores.deliveries.settle('w', one, delivered);
      await stores.deliveries.settle('w', other, refused({ retryInMs: LONG_MS }));
      const next = await stores.deliveries.claim('w', ALL);
      expect(next.map(({ issueId, notification }) => [issueId, notification.type])).toEqual([[first, 'issue.failed']]);
      expect(await ofTarget(stores, target)).toMatchObject([
        { issueId: second, status: 'pending', attempts: 0 },
        { issueId: second, status: 'pending', attempts: 1, lastStatus: 500, lastError: 'The receiver answered 500.' },
        { issueId: first, status: 'pending', attempts: 1 },
        { issueId: first, status: 'delivered', lastStatus: 204, latencyMs: 7, endedAt: stores.clock.now() },
      ]);
    });

    it('are each claimed by one of several workers, and no more of a target than it may have', async () => {
      await using stores = await open();
      const { target, repo } = await notified(stores);
      const other = await createdTarget(stores, aTarget(repo.userId));
      const test = (of: NotificationTarget) => addTest(stores, of);
      for (let count = 0; count < 12; count += 1) await test(target);
      await test(other);
      const few = await stores.deliveries.claim('w', { ...ALL, perTarget: 3, busy: [target] });
      expect(few.map(({ targetId }) => targetId)).toEqual([target.id, target.id, other.id]);
      expect(await stores.deliveries.claim('w', { ...ALL, perTarget: 3, busy: [target, target, target] })).toEqual([]);
      const claims = await atOnce(6, (index) => stores.deliveries.claim(`w-${index}`, { ...ALL, limit: 2 }));
      const rest = await stores.deliveries.claim('rest', ALL);
      const ids = [...claims, rest].flat().map(({ id }) => id);
      expect([ids.length, new Set(ids).size]).toEqual([10, 10]);
    });

    it('of one user are not more at once than the user may have, over any number of targets, and hold up no other user', async () => {
      await using stores = await open();
      const { target, repo } = await notified(stores);
      const second = await createdTarget(stores, aTarget(repo.userId));
      const of = await createdTarget(stores, aTarget((await registeredUser(stores)).id));
      const test = (one: NotificationTarget) => addTest(stores, one);
      for (let count = 0; count < 4; count += 1) await Promise.all([test(target), test(second)]);
      await test(of);
      const claim = (busy: readonly NotificationTarget[]) =>
        stores.deliveries.claim('w', { ...ALL, limit: 3, perUser: 5, busy });
      const first = await claim([target]);
      expect(new Set(first.map(({ target }) => target.userId))).toEqual(new Set([repo.userId]));
      // The user has one more, and the deliveries of the other are behind all of theirs.
      const next = await claim([target, ...first.map((delivery) => delivery.target)]);
      expect(next.map(({ target }) => target.userId)).toEqual([repo.userId, of.userId]);
      expect(await claim([target, ...[...first, ...next].map((delivery) => delivery.target)])).toEqual([]);
    });

    it('are claimed again when their claim has expired or is released, and the first holder ends nothing', async () => {
      await using stores = await open();
      const { target } = await notified(stores);
      await addTest(stores, target);
      const [lost] = await stores.deliveries.claim('w-1', { ...ALL, ttlMs: SHORT_MS });
      const again = await untilFound(async () => (await stores.deliveries.claim('w-2', ALL))[0]);
      expect(again).toMatchObject({ id: lost?.id, attempts: 2 });
      await stores.deliveries.settle('w-1', again, delivered);
      await stores.deliveries.release('w-2', again.id);
      expect(await claimOne(stores, 'w-3')).toMatchObject({ id: again.id, attempts: 2, status: 'pending' });
      expect(await stores.deliveries.claim('w-4', ALL)).toEqual([]);
      expect(await stores.deliveries.expireHolds()).toBe(1);
      expect(await claimOne(stores, 'w-4')).toMatchObject({ id: again.id, attempts: 3 });
    });

    it('keep since when their target fails, and forget it with the first success', async () => {
      await using stores = await open();
      const { target } = await notified(stores);
      const since = async () => (await stores.notifications.target(target.id))?.failingSince;
      await addTest(stores, target);
      const first = stores.clock.now();
      await stores.deliveries.settle('w', await claimOne(stores), refused());
      stores.clock.advance(1_000);
      await stores.deliveries.settle('w', await claimOne(stores), refused());
      expect(await since()).toEqual(first);
      await stores.deliveries.settle('w', await claimOne(stores), delivered);
      expect(await since()).toBeNull();
    });

    it('are given up for the reason for which their target is disabled, until it is enabled', async () => {
      await using stores = await open();
      const { repo, target } = await notified(stores);
      await failedAfterGate(stores, repo);
      await addTest(stores, target);
      const [first, test] = (await stores.deliveries.claim('w', ALL)) as [ClaimedDelivery, ClaimedDelivery];
      const disable = 'The receiver is gone.';
      await stores.deliveries.settle('w', first, refused({ status: 'given_up', lastStatus: 410, disable }));
      await stores.deliveries.settle('w', test, refused({ retryInMs: LONG_MS }));
      expect(await stores.notifications.target(target.id)).toMatchObject({
        disabledAt: stores.clock.now(),
        disabledReason: disable,
        failingSince: stores.clock.now(),
      });
      const ended = await ofTarget(stores, target);
      expect(ended.map(({ status, lastError }) => [status, lastError])).toEqual([
        ['given_up', disable],
        ['given_up', disable],
        ['given_up', 'The receiver answered 500.'],
      ]);
      await failedAfterGate(stores, repo);
      expect(await ofTarget(stores, target)).toEqual(ended);
      const enabled = await stores.notifications.updateTarget(target.id, { disabledReason: null });
      expect(enabled).toMatchObject({ disabledAt: null, disabledReason: null, failingSince: null });
      await atGate(stores, repo);
      expect(kindsOf(await stores.deliveries.claim('w', ALL))).toEqual(['gate.opened']);
    });

    it('do not disable a target that was changed during their attempt, nor count as its failures', async () => {
      await using stores = await open();
      const { target } = await notified(stores);
      await addTest(stores, target);
      const claimed = await claimOne(stores);
      stores.clock.advance(1_000);
      const changed = await stores.notifications.updateTarget(target.id, { url: { encrypted: '1:new', nonce: 'new' } });
      const waiting = await addTest(stores, target);
      const gone = refused({ status: 'given_up', lastStatus: 410, disable: 'The receiver is gone.' });
      await stores.deliveries.settle('w', claimed, gone);
      expect(await stores.notifications.target(target.id)).toEqual(changed);
      expect(await claimOne(stores)).toMatchObject({ id: waiting.id });
    });

    it('are listed in pages, by status, and repeated under the same message id', async () => {
      await using stores = await open();
      const { repo, target } = await notified(stores);
      const { notifications } = stores;
      await failedAfterGate(stores, repo);
      const [failure, gate] = (await ofTarget(stores, target)) as [Delivery, Delivery];
      const page = await notifications.deliveries({ targetId: target.id, limit: 1, cursor: null });
      expect(page.items).toEqual([failure]);
      expect(await notifications.deliveries({ targetId: target.id, limit: 1, cursor: page.nextCursor })).toEqual({
        items: [gate],
        nextCursor: null,
      });
      expect(await notifications.replay(gate.id, newId())).toBeNull();
      expect(await notifications.replay(newId(), newId())).toBeNull();
      await stores.deliveries.settle('w', await claimOne(stores), refused({ status: 'given_up' }));
      const id = newId();
      expect(await notifications.replay(gate.id, id)).toMatchObject({
        id,
        messageId: gate.messageId,
        replayOf: gate.id,
        issueId: gate.issueId,
        notification: gate.notification,
        status: 'pending',
        attempts: 0,
      });
      expect(await notifications.delivery(id)).toMatchObject({ id });
      const given = await notifications.deliveries({ ...everything, targetId: target.id, status: 'given_up' });
      expect(given.items.map((one) => one.id)).toEqual([gate.id]);
    });

    it('of a range of time are repeated in their order, each message once', async () => {
      await using stores = await open();
      const { target } = await notified(stores);
      const { notifications, clock } = stores;
      const end = async (status: 'delivered' | 'given_up') =>
        stores.deliveries.settle('w', await claimOne(stores), { ...refused(), status });
      const before = await addTest(stores, target);
      await end('given_up');
      clock.advance(1_000);
      const from = clock.now();
      const first = await addTest(stores, target);
      await end('given_up');
      const second = await addTest(stores, target);
      await end('delivered');
      await notifications.replay(first.id, newId());
      await end('given_up');
      await addTest(stores, target); // pending
      clock.advance(1_000);
      const range = { from, before: clock.now(), onlyGivenUp: false };
      expect(await notifications.replayRange(target.id, { ...range, onlyGivenUp: true }, newId)).toEqual({
        replayed: 1,
        nextFrom: null,
      });
      // The first one is on its way again.
      expect(await notifications.replayRange(target.id, range, newId)).toEqual({ replayed: 1, nextFrom: null });
      const pending = await notifications.deliveries({ ...everything, targetId: target.id, status: 'pending' });
      const messages = pending.items.map(({ messageId }) => messageId).toReversed();
      expect(messages.slice(1)).toEqual([first, second].map(({ messageId }) => messageId));
      expect(messages).not.toContain(before.messageId);
    });

    it('are repeated once by requests at the same time, and not any more once one was delivered', async () => {
      await using stores = await open();
      const { target } = await notified(stores);
      const { notifications, clock } = stores;
      const from = clock.now();
      const one = await addTest(stores, target);
      await addTest(stores, target);
      const settle = async (end: AttemptEnd) => {
        for (const claimed of await stores.deliveries.claim('w', ALL))
          await stores.deliveries.settle('w', claimed, end);
      };
      await settle(refused({ status: 'given_up' }));
      clock.advance(1_000);
      const range = { from, before: clock.now(), onlyGivenUp: true };
      const again = () => notifications.replayRange(target.id, range, newId);
      expect((await atOnce(4, again)).map(({ replayed }) => replayed).sort()).toEqual([0, 0, 0, 2]);
      expect(await notifications.replay(one.id, newId())).toBeNull();
      await settle(delivered);
      expect(await again()).toEqual({ replayed: 0, nextFrom: null });
      const ofOne = await atOnce(4, () => notifications.replay(one.id, newId()));
      expect(ofOne.filter((replay) => replay !== null)).toHaveLength(1);
    });

    it('vanish with their issue, repository, target or user', async () => {
      await using stores = await open();
      const { repo, target } = await notified(stores);
      const own = await createdTarget(stores, aTarget(repo.userId, { repoId: repo.id }));
      const id = await failedAfterGate(stores, repo);
      const second = await atGate(stores, repo);
      await stores.issues.remove(id);
      expect((await ofTarget(stores, target)).map(({ issueId }) => issueId)).toEqual([second]);
      await cancelled(stores, second);
      const [delivery] = await ofTarget(stores, target);
      await stores.repos.remove(repo.id);
      expect(await ofTarget(stores, target)).toEqual([]);
      expect(await stores.notifications.delivery(delivery?.id ?? '')).toBeNull();
      expect(await stores.deliveries.claim('w', ALL)).toEqual([]);
      expect(await stores.notifications.target(own.id)).toBeNull();
      await addTest(stores, target);
      expect(await stores.notifications.removeTarget(target.id)).toBe(true);
      expect(await stores.notifications.removeTarget(target.id)).toBe(false);
      expect(await stores.notifications.updateTarget(target.id, { description: 'x' })).toBeNull();
      expect(await stores.notifications.secrets(target.id)).toEqual([]);
      expect(await ofTarget(stores, target)).toEqual([]);
    });

    it('are deleted a while after they ended, and pending ones never', async () => {
      await using stores = await open();
      const { target } = await notified(stores);
      for (let count = 0; count < 3; count += 1) await addTest(stores, target);
      await stores.deliveries.settle('w', await claimOne(stores), delivered);
      await stores.deliveries.expireHolds();
      const past = () => ({ before: stores.clock.now(), limit: 1 });
      expect(await stores.deliveries.forget(past())).toBe(false);
      expect(await ofTarget(stores, target)).toHaveLength(3);
      stores.clock.advance(1_000);
      expect(await stores.deliveries.forget(past())).toBe(true);
      expect(await stores.deliveries.forget(past())).toBe(false);
      expect((await ofTarget(stores, target)).map(({ status }) => status)).toEqual(['pending', 'pending']);
    });
  });

  describe(`notification targets on ${name}`, () => {
    it('are created up to twenty by requests at once, and one for e-mail', async () => {
      await using stores = await open();
      const { id } = await registeredUser(stores);
      const email = { channel: 'email', url: null } as const;
      const emails = await atOnce(3, () => stores.notifications.createTarget(aTarget(id, email), null));
      expect(emails.map(({ kind }) => kind).toSorted()).toEqual(['created', 'email_exists', 'email_exists']);
      const all = await atOnce(25, () => stores.notifications.createTarget(aTarget(id), secretOf('one')));
      expect(all.filter(({ kind }) => kind === 'created')).toHaveLength(19);
      expect(await stores.notifications.targets(id)).toHaveLength(20);
    });

    it('are changed member by member, with their audit entry', async () => {
      await using stores = await open();
      const { repo, target } = await notified(stores);
      stores.clock.advance(1_000);
      const patch = {
        url: { encrypted: '1:other', nonce: 'other' },
        format: 'slack',
        events: [],
        repoId: repo.id,
      } as const;
      const audit: NewAuditEntry = {
        userId: repo.userId,
        actor: { kind: 'user', sessionId: null },
        act: { action: 'notification.changed', subjectId: target.id, detail: { fields: ['url'] } },
      };
      const changed = { ...target, ...patch, updatedAt: stores.clock.now() };
      expect(await stores.notifications.updateTarget(target.id, patch, audit)).toEqual(changed);
      expect(await stores.notifications.targets(repo.userId)).toEqual([changed]);
      const { items } = await stores.audit.list(repo.userId, everything);
      expect(items).toEqual([{ ...audit, at: stores.clock.now() }]);
    });

    it('sign with up to three secrets, the newest first, until the older ones end', async () => {
      await using stores = await open();
      const { target } = await notified(stores);
      const { notifications, clock } = stores;
      const active = async () =>
        (await notifications.secrets(target.id)).map(({ encryptedToken, expiresAt }) => [
          encryptedToken.nonce,
          expiresAt,
        ]);
      const soon = new Date(clock.now().getTime() + 1_000);
      const later = new Date(clock.now().getTime() + 9_000);
      const add = (text: string, expireOldAt: Date) =>
        notifications.addSecret(target.id, secretOf(text), { expireOldAt });
      expect(await add('two', later)).toBe(true);
      expect(await add('three', soon)).toBe(true);
      expect(await active()).toEqual([
        ['three', null],
        ['two', soon],
        ['one', soon],
      ]);
      await add('four', later);
      expect(await active()).toEqual([
        ['four', null],
        ['three', later],
        ['two', soon],
      ]);
      clock.advance(1_000);
      expect(await active()).toEqual([
        ['four', null],
        ['three', later],
      ]);
      await add('five', clock.now());
      expect(await active()).toEqual([['five', null]]);
      expect(await notifications.addSecret(newId(), secretOf('x'), { expireOldAt: soon })).toBe(false);
    });
  });
}

async function addTest({ notifications, clock }: StoreHarness, { id }: NotificationTarget): Promise<Delivery> {
  const timestamp = clock.now().toISOString();
  const notification: StoredNotification = { type: 'test', timestamp, data: { target_id: id } };
  return await notifications.addTest(id, { id: newId(), notification });
}
