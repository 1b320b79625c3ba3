import type { TokenCipher } from '@sluice/core/account';
import { systemTimers } from '@sluice/core/async';
import type {
  AttemptResult,
  NewNotificationTarget,
  NotificationSender,
  OutgoingNotification,
} from '@sluice/core/notification';
import type { Stores } from '@sluice/db';
import { openScratch } from '@sluice/db/scratch';
import { aNewUser, newId, until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkerDeps } from '../src/execution/worker-deps.ts';
import { createDeliverer, type Deliverer } from '../src/notify/deliverer.ts';
import { noTelemetry, quiet } from './deliveries-world.ts';
import { signalHub } from './signal-hub.ts';

const clock = { now: () => new Date() };
const cipher: TokenCipher = {
  encrypt: () => ({ encrypted: '', nonce: '' }),
  decrypt: (_owner, { encrypted }) => {
    if (encrypted === 'lost') throw new Error('the key is unknown');
    return `plain ${encrypted}`;
  },
};
const accepted: AttemptResult = { kind: 'accepted', status: 204, latencyMs: 3 };

describe('a deliverer', () => {
  let stores: Stores;
  const running: Deliverer[] = [];
  beforeEach(async () => {
    stores = await openScratch({ clock });
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((deliverer) => deliverer.stop()));
    await stores.close();
  });

  /** A sender that is told what to answer. */
  function start(send: NotificationSender['send'], parts: Partial<WorkerDeps> & { sendsEmail?: boolean } = {}) {
    const sent: OutgoingNotification[] = [];
    const { sendsEmail = true, ...deps } = parts;
    const sender: NotificationSender = {
      sendsEmail,
      send: (notification, signal) => {
        sent.push(notification);
        return send(notification, signal);
      },
      close: async () => undefined,
    };
    const deliverer = createDeliverer(
      {
        deliveries: stores.deliveries,
        cipher,
        clock,
        timers: systemTimers,
        signals: signalHub(),
        publicUrl: new URL('https://sluice.test/'),
        telemetry: noTelemetry,
        log: quiet,
        ...deps,
      },
      { sender, unsubscribeTokens: { issue: (id) => `token of ${id}`, read: () => null } },
      { owner: `worker-${running.length}` },
    );
    deliverer.start();
    running.push(deliverer);
    return { sent, deliverer };
  }

  async function aTarget(overrides: Partial<NewNotificationTarget> = {}, secrets: readonly string[] = ['one']) {
    const user = aNewUser({ email: `${newId()}@example.test` });
    await stores.users.create(user);
    const id = newId();
    const url = { encrypted: 'https://hooks.example.test/in', nonce: '' };
    const common = { format: 'slack', events: [], repoId: null, description: null } as const;
    const secretOf = (encrypted: string) => ({ id: newId(), encryptedToken: { encrypted, nonce: '' } });
    await stores.notifications.createTarget(
      { id, userId: user.id, channel: 'webhook', url, ...common, ...overrides },
      secretOf(secrets[0] ?? ''),
    );
    const expireOldAt = new Date(Date.now() + 60_000);
    for (const more of secrets.slice(1)) await stores.notifications.addSecret(id, secretOf(more), { expireOldAt });
    return { id, user };
  }

  async function addTest(targetId: string) {
    const notification = {
      type: 'test',
      timestamp: '2026-11-20T09:15:00.000Z',
      data: { target_id: targetId },
    } as const;
    return await stores.notifications.addTest(targetId, { id: newId(), notification });
  }

  async function untilEnded(id: string) {
    await until('the delivery ended', async () => (await stores.notifications.delivery(id))?.endedAt !== null);
    return await stores.notifications.delivery(id);
  }

  it('sends a webhook with its link, signed with every secret that can be read, and records the answer', async () => {
    const target = await aTarget({}, ['one', 'lost', 'three']);
    const { sent } = start(async () => accepted);
    const { id, messageId } = await addTest(target.id);
    expect(await untilEnded(id)).toMatchObject({ status: 'delivered', attempts: 1, lastStatus: 204, latencyMs: 3 });
    expect(sent).toEqual([
      {
        messageId,
        userId: target.user.id,
        notification: {
          type: 'test',
          timestamp: '2026-11-20T09:15:00.000Z',
          data: { target_id: target.id, url: 'https://sluice.test/settings' },
        },
        to: {
          channel: 'webhook',
          url: 'plain https://hooks.example.test/in',
          format: 'slack',
          secrets: ['plain three', 'plain one'],
        },
      },
    ]);
  });

  it('sends an e-mail to the address that the account has by then, with a link to turn them off', async () => {
    const { id: targetId, user } = await aTarget({ channel: 'email', url: null });
    const { id } = await addTest(targetId);
    await stores.users.changeAccount(user.id, { email: 'new@example.test', keep: null });
    const { sent } = start(async () => accepted);
    await untilEnded(id);
    expect(sent[0]?.to).toEqual({
      channel: 'email',
      address: 'new@example.test',
      unsubscribeUrl: `https://sluice.test/api/notifications/unsubscribe?token=${encodeURIComponent(`token of ${targetId}`)}`,
    });
  });

  it('gives up, without an attempt, what has nowhere to go', async () => {
    const email = await aTarget({ channel: 'email', url: null });
    const webhook = await aTarget();
    await stores.users.disable(webhook.user.id);
    const [one, other] = [await addTest(email.id), await addTest(webhook.id)];
    const { sent } = start(async () => accepted, { sendsEmail: false });
    expect((await untilEnded(one.id))?.lastError).toBe('This server sends no e-mail: SMTP_URL is not set.');
    expect((await untilEnded(other.id))?.lastError).toBe('The account is disabled.');
    expect((await stores.notifications.target(email.id))?.failingSince).toBeNull();
    expect(sent).toEqual([]);
  });

  it('tries again later to send to a URL that cannot be decrypted', async () => {
    const { id: targetId } = await aTarget({ url: { encrypted: 'lost', nonce: '' } });
    const { id } = await addTest(targetId);
    const { sent } = start(async () => accepted);
    await until('it was tried', async () => (await stores.notifications.delivery(id))?.lastError !== null);
    expect(await stores.notifications.delivery(id)).toMatchObject({
      status: 'pending',
      lastError: expect.stringContaining('cannot be decrypted'),
    });
    expect((await stores.notifications.target(targetId))?.failingSince).toBeNull();
    expect(sent).toEqual([]);
  });

  it('counts no answer in time as a failure of the target, and a fault of ours as a failed attempt alone', async () => {
    const slow = await aTarget();
    const faulty = await aTarget({ format: 'discord' });
    const timers = { ...systemTimers, timeout: () => systemTimers.timeout(1) };
    const [one, other] = [await addTest(slow.id), await addTest(faulty.id)];
    start(
      async ({ to }, signal) => {
        if (to.channel === 'webhook' && to.format === 'discord') throw new TypeError('x is not a function');
        return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      { timers },
    );
    const reasonOf = async (id: string) => (await stores.notifications.delivery(id))?.lastError;
    await until(
      'both were tried',
      async () => (await reasonOf(one.id)) !== null && (await reasonOf(other.id)) !== null,
    );
    expect(await reasonOf(one.id)).toBe('The receiver did not answer within 15 seconds.');
    expect(await reasonOf(other.id)).toMatch(/inside Sluice/);
    const sinceOf = async ({ id }: { id: string }) => (await stores.notifications.target(id))?.failingSince;
    expect([await sinceOf(slow), await sinceOf(faulty)]).toEqual([expect.any(Date), null]);
  });

  it('sends to others while one receiver hangs, and no more than a few to that one', async () => {
    const hanging = await aTarget();
    const healthy = await aTarget({ format: 'ntfy' });
    for (let count = 0; count < 12; count += 1) await addTest(hanging.id);
    const { id } = await addTest(healthy.id);
    const { sent, deliverer } = start(async ({ to }, signal) => {
      if (to.channel === 'webhook' && to.format === 'ntfy') return accepted;
      return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    expect((await untilEnded(id))?.status).toBe('delivered');
    expect(sent.length).toBe(6);
    await deliverer.stop();
    const { items } = await stores.notifications.deliveries({ targetId: hanging.id, limit: 100, cursor: null });
    // An attempt that this process ended by stopping is none.
    expect(items.map(({ status, attempts, lastError }) => [status, attempts, lastError])).toEqual(
      Array.from({ length: 12 }, () => ['pending', 0, null]),
    );
    const next = start(async () => accepted);
    await until('the next worker sends them', async () => next.sent.length === 12);
  });
});
