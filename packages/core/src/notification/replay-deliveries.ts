import type { Authorized } from '../access/authorized.ts';
import type { Clock } from '../async/clock.ts';
import { AppError } from '../error/app-error.ts';
import { type Ids, isId } from '../id/id.ts';
import type { Delivery } from './delivery.ts';
import type { NotificationStore, ReplayRange } from './notification-store.ts';
import type { NotificationTarget } from './notification-target.ts';

interface ReplayContext {
  readonly notifications: NotificationStore;
  readonly ids: Ids;
}

/**
 * Sends a test to a target, whatever kinds it is set to.
 *
 * @throws AppError `notification_target_disabled`, `notification_target_not_found` after a concurrent deletion
 */
export async function sendTestNotification(
  { notifications, ids, clock }: ReplayContext & { readonly clock: Clock },
  target: Authorized<NotificationTarget>,
): Promise<Delivery> {
  requireEnabled(target);
  const timestamp = clock.now().toISOString();
  const notification = { type: 'test', timestamp, data: { target_id: target.id } } as const;
  return await notifications.addTest(target.id, { id: ids.next(), notification });
}

/**
 * The delivery of a target by its id.
 *
 * @throws AppError `delivery_not_found`
 */
export async function requireDelivery(
  { notifications }: Pick<ReplayContext, 'notifications'>,
  target: Authorized<NotificationTarget>,
  deliveryId: string,
): Promise<Delivery> {
  const delivery = isId(deliveryId) ? await notifications.delivery(deliveryId) : null;
  if (delivery === null || delivery.targetId !== target.id) throw new AppError('delivery_not_found');
  return delivery;
}

/**
 * Repeats a delivery that has ended, under its message id.
 *
 * @throws AppError `notification_target_disabled`, `delivery_not_found`, `delivery_pending`
 */
export async function replayDelivery(
  context: ReplayContext,
  target: Authorized<NotificationTarget>,
  deliveryId: string,
): Promise<Delivery> {
  requireEnabled(target);
  const { id } = await requireDelivery(context, target, deliveryId);
  const replay = await context.notifications.replay(id, context.ids.next());
  if (replay === null) throw new AppError('delivery_pending');
  return replay;
}

/**
 * Repeats the deliveries that ended and were created in a range of time, in their order.
 *
 * @returns their number; `nextFrom` is where to go on when there were more than one call repeats
 * @throws AppError `notification_target_disabled`
 */
export async function replayDeliveries(
  { notifications, ids }: ReplayContext,
  target: Authorized<NotificationTarget>,
  range: ReplayRange,
): Promise<{ readonly replayed: number; readonly nextFrom: Date | null }> {
  requireEnabled(target);
  return await notifications.replayRange(target.id, range, () => ids.next());
}

function requireEnabled({ disabledAt }: NotificationTarget): void {
  if (disabledAt !== null) throw new AppError('notification_target_disabled');
}
