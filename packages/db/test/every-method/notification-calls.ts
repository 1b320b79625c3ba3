import type {
  AttemptEnd,
  NewNotificationTarget,
  NotificationTarget,
  StoredNotification,
} from '@sluice/core/notification';
import { aNewUser, newId } from '@sluice/testing';
import type { CallsOf } from './calls-of.ts';
import type { World } from './world.ts';

const audit = (target: NotificationTarget) =>
  ({
    userId: target.userId,
    actor: { kind: 'operator' },
    act: { action: 'notification.removed', subjectId: target.id, detail: {} },
  }) as const;
const secret = () => ({ id: newId(), encryptedToken: { encrypted: '1:AA==', nonce: 'BB==' } });
const all = { limit: 10, ttlMs: 60_000, perTarget: 2, perUser: 100 };

const aDraft = (userId: NotificationTarget['userId']): NewNotificationTarget => ({
  id: newId(),
  userId,
  channel: 'webhook',
  url: { encrypted: '1:AA==', nonce: 'BB==' },
  format: 'standard',
  events: ['gate.opened'],
  repoId: null,
  description: null,
});

/** A target of a new user. */
async function aTarget({ stores }: World): Promise<NotificationTarget> {
  const user = aNewUser();
  await stores.users.create(user);
  const outcome = await stores.notifications.createTarget(aDraft(user.id), secret());
  if (outcome.kind !== 'created') throw new Error(`the target was not created: ${outcome.kind}`);
  return outcome.target;
}

async function aDelivery(world: World) {
  const { id } = await aTarget(world);
  const timestamp = '2026-11-20T09:15:00.000Z';
  const notification: StoredNotification = { type: 'test', timestamp, data: { target_id: id } };
  return await world.stores.notifications.addTest(id, { id: newId(), notification });
}

async function aClaim(world: World) {
  await aDelivery(world);
  const [claimed] = await world.stores.deliveries.claim('worker-1', { ...all, busy: [] });
  if (claimed === undefined) throw new Error('no delivery could be claimed');
  return claimed;
}

const failure: AttemptEnd = {
  status: 'pending',
  lastStatus: 500,
  lastError: 'The receiver answered 500.',
  latencyMs: 1,
  retryInMs: 1_000,
  disable: null,
};

export const notificationCalls: CallsOf<'notifications' | 'deliveries'> = {
  notifications: {
    createTarget: async (world) => {
      const { userId } = await aTarget(world);
      return () => world.stores.notifications.createTarget(aDraft(userId), secret());
    },
    target: async (world) => {
      const { id } = await aTarget(world);
      return () => world.stores.notifications.target(id);
    },
    targets: async (world) => {
      const { userId } = await aTarget(world);
      return () => world.stores.notifications.targets(userId);
    },
    updateTarget: async (world) => {
      const { targetId } = await aDelivery(world);
      return () => world.stores.notifications.updateTarget(targetId, { disabledReason: 'You disabled it.' });
    },
    removeTarget: async (world) => {
      const target = await aTarget(world);
      return () => world.stores.notifications.removeTarget(target.id, audit(target));
    },
    secrets: async (world) => {
      const { id } = await aTarget(world);
      return () => world.stores.notifications.secrets(id);
    },
    addSecret: async (world) => {
      const { id } = await aTarget(world);
      for (let count = 0; count < 3; count += 1)
        await world.stores.notifications.addSecret(id, secret(), { expireOldAt: world.clock.now() });
      return () => world.stores.notifications.addSecret(id, secret(), { expireOldAt: world.clock.now() });
    },
    deliveries: {
      'the first page': async (world) => {
        const { targetId } = await aDelivery(world);
        return () => world.stores.notifications.deliveries({ targetId, limit: 10, cursor: null });
      },
      'by status': async (world) => {
        const { targetId } = await aDelivery(world);
        return () => world.stores.notifications.deliveries({ targetId, status: 'given_up', limit: 10, cursor: null });
      },
    },
    delivery: async (world) => {
      const { id } = await aDelivery(world);
      return () => world.stores.notifications.delivery(id);
    },
    addTest: async (world) => {
      const { targetId, notification } = await aDelivery(world);
      return () => world.stores.notifications.addTest(targetId, { id: newId(), notification });
    },
    replay: async (world) => {
      const claimed = await aClaim(world);
      await world.stores.deliveries.settle('worker-1', claimed, { ...failure, status: 'given_up' });
      return () => world.stores.notifications.replay(claimed.id, newId());
    },
    replayRange: async (world) => {
      const claimed = await aClaim(world);
      await world.stores.deliveries.settle('worker-1', claimed, { ...failure, status: 'given_up' });
      const range = { from: new Date(0), before: new Date(), onlyGivenUp: false };
      return () => world.stores.notifications.replayRange(claimed.targetId, range, newId);
    },
  },
  deliveries: {
    claim: async (world) => {
      const { targetId: id } = await aDelivery(world);
      await aDelivery(world);
      const target = { id, userId: newId<NotificationTarget['userId']>() };
      return () => world.stores.deliveries.claim('worker-1', { ...all, busy: [target, target] });
    },
    settle: {
      'of a success': async (world) => {
        const claimed = await aClaim(world);
        return () =>
          world.stores.deliveries.settle('worker-1', claimed, { ...failure, status: 'delivered', lastError: null });
      },
      'of a failure': async (world) => {
        const claimed = await aClaim(world);
        return () => world.stores.deliveries.settle('worker-1', claimed, failure);
      },
      'that disables the target': async (world) => {
        const claimed = await aClaim(world);
        const end = { ...failure, status: 'given_up', disable: 'The receiver is gone.' } as const;
        return () => world.stores.deliveries.settle('worker-1', claimed, end);
      },
    },
    release: async (world) => {
      const { id } = await aClaim(world);
      return () => world.stores.deliveries.release('worker-1', id);
    },
    expireHolds: async (world) => {
      await aClaim(world);
      return () => world.stores.deliveries.expireHolds();
    },
    forget: async ({ stores }) => {
      return () => stores.deliveries.forget({ before: new Date(0), limit: 10 });
    },
  },
};
