import { type Authorized, asAuthorized } from '../access/authorized.ts';
import type { Clock } from '../async/clock.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import { isId, type UserId } from '../id/id.ts';
import { type NotificationContext, newSecret, requireRepo, requireUrl } from './create-notification-target.ts';
import type { NotificationStore } from './notification-store.ts';
import {
  type NotificationTarget,
  type NotificationTargetPatch,
  notificationSecretOwner,
  OLD_SECRET_MS,
  sealUrl,
} from './notification-target.ts';

/**
 * Finds a notification target of the user.
 *
 * @throws AppError `notification_target_not_found`, or `not_owner` for another user's target
 */
export async function authorizeNotificationTarget(
  stores: { readonly notifications: Pick<NotificationStore, 'target'> },
  userId: UserId,
  id: string,
): Promise<Authorized<NotificationTarget>> {
  const target = isId(id) ? await stores.notifications.target(id) : null;
  if (target === null) throw new AppError('notification_target_not_found');
  if (target.userId !== userId) {
    throw new AppError('not_owner', { detail: 'This notification target belongs to another user.' });
  }
  return asAuthorized(target);
}

/** A change by the user. Absent members stay as they are. */
export interface NotificationTargetChange extends Omit<NotificationTargetPatch, 'url' | 'repoId' | 'disabledReason'> {
  readonly url?: string | undefined;
  readonly repoId?: string | null | undefined;
  /** Enabling also forgets earlier failures. Disabling gives up what is pending. */
  readonly enabled?: boolean | undefined;
}

const BY_USER = 'You disabled it.';

/**
 * Changes a notification target.
 *
 * @throws AppError `notification_target_not_found` after a concurrent deletion, `notification_url_refused`, `repo_not_found`,
 * `not_owner`, `validation_failed` for the URL or format of an e-mail target
 */
export async function updateNotificationTarget(
  context: NotificationContext,
  target: Authorized<NotificationTarget>,
  { change, by }: { readonly change: NotificationTargetChange; readonly by: Initiator },
): Promise<NotificationTarget> {
  const { url, repoId, enabled, ...plain } = change;
  if (target.channel === 'email' && (url !== undefined || plain.format !== undefined)) throw noUrl();
  if (url !== undefined) requireUrl(context, url);
  const patch: NotificationTargetPatch = {
    ...plain,
    ...(url !== undefined && { url: sealUrl(context.cipher, target, url) }),
    ...(repoId !== undefined && { repoId: await requireRepo(context, by, repoId) }),
    ...(enabled !== undefined && { disabledReason: enabled ? null : BY_USER }),
  };
  const fields = Object.entries(change).flatMap(([name, value]) =>
    value === undefined ? [] : [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)],
  );
  const audit = auditEntry(by, {
    action: 'notification.changed',
    subjectId: target.id,
    detail: { fields: fields.sort() },
  });
  const updated = await context.notifications.updateTarget(target.id, patch, audit);
  if (updated === null) throw new AppError('notification_target_not_found');
  return updated;
}

function noUrl(): AppError {
  const message = 'must not be set for e-mail, which goes to the address of your account';
  return new AppError('validation_failed', {
    detail: `The request is not valid. url: ${message}.`,
    errors: [{ path: 'url', message }],
  });
}

/**
 * Gives a webhook a new secret. The earlier ones sign beside it for a day, or end now.
 *
 * @returns the plain secret
 * @throws AppError `notification_without_secret`, `notification_target_not_found` after a concurrent deletion
 */
export async function rotateNotificationSecret(
  context: NotificationContext & { readonly clock: Clock },
  target: Authorized<NotificationTarget>,
  { by, expireOldNow = false }: { readonly by: Initiator; readonly expireOldNow?: boolean | undefined },
): Promise<string> {
  if (target.channel !== 'webhook') throw new AppError('notification_without_secret');
  const { plain, stored } = newSecret(context, by);
  const expireOldAt = new Date(context.clock.now().getTime() + (expireOldNow ? 0 : OLD_SECRET_MS));
  const audit = auditEntry(by, { action: 'notification.secret_rotated', subjectId: target.id, detail: {} });
  const isAdded = await context.notifications.addSecret(target.id, stored, { expireOldAt, audit });
  if (!isAdded) throw new AppError('notification_target_not_found');
  return plain;
}

/** A secret as its user sees it. */
export interface ShownSecret {
  /** Null when it can no longer be decrypted: rotate it. */
  readonly secret: string | null;
  readonly createdAt: Date;
  /** Null for the newest one. */
  readonly expiresAt: Date | null;
}

/** The secrets that sign the deliveries of a target, newest first. */
export async function showNotificationSecrets(
  { notifications, cipher }: Pick<NotificationContext, 'notifications' | 'cipher'>,
  target: Authorized<NotificationTarget>,
): Promise<readonly ShownSecret[]> {
  const secrets = await notifications.secrets(target.id);
  return secrets.map(({ id, encryptedToken, createdAt, expiresAt }) => {
    let secret: string | null = null;
    try {
      secret = cipher.decrypt(notificationSecretOwner(target.userId, id), encryptedToken);
    } catch {
      // The cipher has reported it to the operator.
    }
    return { secret, createdAt, expiresAt };
  });
}

/**
 * Deletes a target with its secrets and deliveries.
 *
 * @throws AppError `notification_target_not_found` after a concurrent deletion
 */
export async function deleteNotificationTarget(
  { notifications }: { readonly notifications: Pick<NotificationStore, 'removeTarget'> },
  target: Authorized<NotificationTarget>,
  { by }: { readonly by: Initiator },
): Promise<void> {
  const audit = auditEntry(by, { action: 'notification.removed', subjectId: target.id, detail: {} });
  if (!(await notifications.removeTarget(target.id, audit))) throw new AppError('notification_target_not_found');
}
