import { type Authorized, asAuthorized } from '../access/authorized.ts';
import { AppError } from '../error/app-error.ts';
import { isId, type UserId } from '../id/id.ts';
import type { NotificationStore } from './notification-store.ts';
import type { NotificationTarget } from './notification-target.ts';

/** @throws AppError `notification_target_not_found`, or `not_owner` for another user's target */
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
