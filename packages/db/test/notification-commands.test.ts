import type { TokenCipher, User } from '@sluice/core/account';
import {
  authorizeNotificationTarget,
  createNotificationTarget,
  deleteNotificationTarget,
  type NotificationTargetDraft,
  openUrl,
  replayDeliveries,
  replayDelivery,
  requireDelivery,
  rotateNotificationSecret,
  sendTestNotification,
  showNotificationSecrets,
  unsubscribe,
  updateNotificationTarget,
} from '@sluice/core/notification';
import { aNewRepo, aNewUser, byUser, newId, type StoreHarness } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openScratchStores } from './scratch-stores.ts';

const cipher: TokenCipher = {
  encrypt: ({ kind, id, userId }, token) => ({ encrypted: `1:${token}`, nonce: `${kind} ${id} ${userId}` }),
  decrypt: ({ kind, id, userId }, { encrypted, nonce }) => {
    if (nonce !== `${kind} ${id} ${userId}`) throw new Error('the secret belongs to another row');
    return encrypted.slice(2);
  },
};
const webhook = { channel: 'webhook', url: 'https://hooks.example.test/in', format: 'standard' } as const;
const aDraft = (overrides: Partial<NotificationTargetDraft> = {}): NotificationTargetDraft => ({
  events: ['gate.opened'],
  to: webhook,
  ...overrides,
});
const everything = { limit: 100, cursor: null };

describe('the commands on notifications', () => {
  let stores: StoreHarness;
  let userId: User['id'];
  beforeEach(async () => {
    stores = await openScratchStores();
    const user = aNewUser();
    await stores.users.create(user);
    userId = user.id;
  });
  afterEach(() => stores[Symbol.asyncDispose]());

  function context({ sendsEmail = true } = {}) {
    let secrets = 0;
    const newSecret = () => {
      secrets += 1;
      return `whsec_${secrets}`;
    };
    return {
      ...stores,
      cipher,
      ids: { next: () => newId() },
      notificationRules: { allowHosts: ['chat.lan'], sendsEmail, newSecret },
    };
  }
  const by = () => byUser(userId);
  const actsOf = async () => (await stores.audit.list(userId, everything)).items.map(({ act }) => act);
  async function created(draft = aDraft(), at = context()) {
    const { target, secret } = await createNotificationTarget(at, { draft, by: by() });
    return { target: await authorizeNotificationTarget(stores, userId, target.id), secret, at };
  }

  it('create a target with a secret that is shown and kept encrypted, and note who did it', async () => {
    const { target, secret, at } = await created(aDraft({ description: 'Our chat' }));
    expect(secret).toBe('whsec_1');
    expect(target).toMatchObject({
      channel: 'webhook',
      format: 'standard',
      userId,
      events: ['gate.opened'],
      repoId: null,
      description: 'Our chat',
    });
    expect(openUrl(cipher, target)).toBe(webhook.url);
    expect(await showNotificationSecrets(at, target)).toEqual([
      { secret, createdAt: stores.clock.now(), expiresAt: null },
    ]);
    expect(await actsOf()).toEqual([
      { action: 'notification.created', subjectId: target.id, detail: { channel: 'webhook' } },
    ]);
  });

  it('refuse a URL that may not be reached, when it is created and when it is changed', async () => {
    const url = 'https://169.254.169.254/latest';
    const refusal = {
      code: 'notification_url_refused',
      details: { errors: [{ path: 'url', message: expect.stringContaining('not public') }] },
    };
    const draft = aDraft({ to: { ...webhook, url } });
    await expect(createNotificationTarget(context(), { draft, by: by() })).rejects.toMatchObject(refusal);
    const { target, at } = await created(aDraft({ to: { ...webhook, url: 'http://chat.lan/' } }));
    await expect(updateNotificationTarget(at, target, { change: { url }, by: by() })).rejects.toMatchObject(refusal);
  });

  it('take an e-mail target once, where e-mail is sent and the account has an address', async () => {
    const draft = aDraft({ to: { channel: 'email' } });
    const create = (at = context()) => createNotificationTarget(at, { draft, by: by() });
    await expect(create(context({ sendsEmail: false }))).rejects.toMatchObject({ code: 'email_not_configured' });
    const { target, secret } = await create();
    expect([target.url, secret]).toEqual([null, null]);
    await expect(create()).rejects.toMatchObject({
      code: 'notification_email_exists',
      details: { body: { target_id: target.id } },
    });
    const owned = await authorizeNotificationTarget(stores, userId, target.id);
    await expect(
      updateNotificationTarget(context(), owned, { change: { url: webhook.url }, by: by() }),
    ).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(rotateNotificationSecret(context(), owned, { by: by() })).rejects.toMatchObject({
      code: 'notification_without_secret',
    });
  });

  it('are for the own targets and repositories alone', async () => {
    const { target, at } = await created();
    const other = aNewUser();
    await stores.users.create(other);
    await expect(authorizeNotificationTarget(stores, other.id, target.id)).rejects.toMatchObject({ code: 'not_owner' });
    await expect(authorizeNotificationTarget(stores, userId, newId())).rejects.toMatchObject({
      code: 'notification_target_not_found',
    });
    const foreign = aNewRepo({ userId: other.id });
    await stores.repos.create(foreign);
    const change = { repoId: foreign.id };
    await expect(updateNotificationTarget(at, target, { change, by: by() })).rejects.toMatchObject({
      code: 'not_owner',
    });
  });

  it('change, disable, enable and delete a target', async () => {
    const { target, at } = await created();
    const own = aNewRepo({ userId });
    await stores.repos.create(own);
    const { url: moved } = await updateNotificationTarget(at, target, { change: { url: 'https://b.test/' }, by: by() });
    expect(openUrl(cipher, { ...target, url: moved })).toBe('https://b.test/');
    const change = { repoId: own.id, events: ['issue.failed'], enabled: false } as const;
    const disabled = await updateNotificationTarget(at, target, { change, by: by() });
    expect(disabled).toMatchObject({ repoId: own.id, events: ['issue.failed'], disabledReason: 'You disabled it.' });
    const now = await authorizeNotificationTarget(stores, userId, target.id);
    const refusal = { code: 'notification_target_disabled' };
    await expect(sendTestNotification(at, now)).rejects.toMatchObject(refusal);
    await expect(replayDelivery(at, now, newId())).rejects.toMatchObject(refusal);
    expect(await updateNotificationTarget(at, target, { change: { enabled: true }, by: by() })).toMatchObject({
      disabledAt: null,
    });
    await deleteNotificationTarget(stores, target, { by: by() });
    await expect(sendTestNotification(at, target)).rejects.toMatchObject({ code: 'notification_target_not_found' });
    await expect(deleteNotificationTarget(stores, target, { by: by() })).rejects.toMatchObject({
      code: 'notification_target_not_found',
    });
    expect((await actsOf()).map(({ action, detail }) => [action, detail])).toEqual([
      ['notification.removed', {}],
      ['notification.changed', { fields: ['enabled'] }],
      ['notification.changed', { fields: ['enabled', 'events', 'repo_id'] }],
      ['notification.changed', { fields: ['url'] }],
      ['notification.created', { channel: 'webhook' }],
    ]);
  });

  it('rotate a secret, beside which the earlier one signs for a day or not at all', async () => {
    const { target, at } = await created();
    expect(await rotateNotificationSecret(at, target, { by: by() })).toBe('whsec_2');
    const shown = async () => (await showNotificationSecrets(at, target)).map(({ secret }) => secret);
    expect(await shown()).toEqual(['whsec_2', 'whsec_1']);
    stores.clock.advance(86_400_000);
    expect(await shown()).toEqual(['whsec_2']);
    await rotateNotificationSecret(at, target, { by: by(), expireOldNow: true });
    expect(await shown()).toEqual(['whsec_3']);
    expect((await actsOf())[0]).toMatchObject({ action: 'notification.secret_rotated', subjectId: target.id });
    expect(
      await showNotificationSecrets({ ...at, cipher: { ...cipher, decrypt: () => fail() } }, target),
    ).toMatchObject([{ secret: null }]);
  });

  it('send a test to a target, and repeat what has ended', async () => {
    const { target, at } = await created();
    const test = await sendTestNotification(at, target);
    expect(test).toMatchObject({ status: 'pending', notification: { type: 'test', data: { target_id: target.id } } });
    await expect(replayDelivery(at, target, test.id)).rejects.toMatchObject({ code: 'delivery_pending' });
    const { target: other } = await created();
    await expect(requireDelivery(at, other, test.id)).rejects.toMatchObject({ code: 'delivery_not_found' });
    await expect(requireDelivery(at, target, 'x')).rejects.toMatchObject({ code: 'delivery_not_found' });
    const [claim] = await stores.deliveries.claim('w', {
      limit: 1,
      ttlMs: 60_000,
      perTarget: 1,
      perUser: 100,
      busy: [],
    });
    if (claim === undefined) throw new Error('the delivery could not be claimed');
    const end = { lastStatus: null, lastError: 'No.', latencyMs: 1, retryInMs: 0, disable: null } as const;
    await stores.deliveries.settle('w', claim, { ...end, status: 'given_up' });
    const range = { from: new Date(0), before: new Date(stores.clock.now().getTime() + 1), onlyGivenUp: true };
    expect(await replayDeliveries(at, target, range)).toEqual({ replayed: 1, nextFrom: null });
    await expect(replayDelivery(at, target, test.id)).rejects.toMatchObject({ code: 'delivery_pending' });
    const [again] = await stores.deliveries.claim('w', {
      limit: 1,
      ttlMs: 60_000,
      perTarget: 1,
      perUser: 100,
      busy: [],
    });
    await stores.deliveries.settle('w', again ?? claim, { ...end, status: 'given_up' });
    expect(await replayDelivery(at, target, test.id)).toMatchObject({ messageId: test.messageId, replayOf: test.id });
  });

  it('turn e-mails off for anyone who has the link, once, and nothing else', async () => {
    const { target } = await created(aDraft({ to: { channel: 'email' } }));
    const { target: hook } = await created();
    const unsubscribeTokens = {
      issue: (id: string) => id,
      read: (token: string) => (token === 'forged' ? null : token),
    };
    const at = { ...stores, unsubscribeTokens };
    await unsubscribe(at, target.id);
    await unsubscribe(at, target.id);
    expect(await stores.notifications.target(target.id)).toMatchObject({
      disabledReason: 'You unsubscribed by the link in an e-mail.',
    });
    const acts = (await actsOf()).filter(({ action }) => action === 'notification.unsubscribed');
    expect(acts).toHaveLength(1);
    for (const token of ['forged', hook.id, newId()])
      await expect(unsubscribe(at, token)).rejects.toMatchObject({ code: 'unsubscribe_token_invalid' });
    expect((await stores.notifications.target(hook.id))?.disabledAt).toBeNull();
  });
});

function fail(): never {
  throw new Error('the key is unknown');
}
