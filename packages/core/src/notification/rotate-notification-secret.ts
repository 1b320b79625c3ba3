import type { Authorized } from '../access/authorized.ts';
import type { Clock } from '../async/clock.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import { type NotificationContext, newSecret } from './create-notification-target.ts';
import { type NotificationTarget, notificationSecretOwner, OLD_SECRET_MS } from './notification-target.ts';

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
