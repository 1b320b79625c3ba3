import type { Authorized } from '../access/authorized.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import { AppError } from '../error/app-error.ts';
import type { NotificationStore } from './notification-store.ts';
import type { NotificationTarget } from './notification-target.ts';

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
