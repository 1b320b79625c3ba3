export {
  createNotificationTarget,
  type NotificationContext,
  type NotificationRules,
  type NotificationTargetDraft,
} from './create-notification-target.ts';
export {
  type AttemptEnd,
  type AttemptResult,
  type Delivery,
  type DeliveryStatus,
  deliveryStatuses,
  endOfAttempt,
} from './delivery.ts';
export type { ClaimedDelivery, ClaimOptions, DeliveryQueue } from './delivery-queue.ts';
export {
  authorizeNotificationTarget,
  deleteNotificationTarget,
  rotateNotificationSecret,
  showNotificationSecrets,
  updateNotificationTarget,
} from './manage-notification-target.ts';
export {
  isAllowHostsEntry,
  NOT_PUBLIC,
  type NotificationAddress,
  notificationAddress,
} from './notification-address.ts';
export {
  asksForDecision,
  type Notification,
  type NotificationKind,
  needsYouKinds,
  notificationKinds,
  type StoredNotification,
  toNotification,
} from './notification-catalog.ts';
export { mayNotify, notificationOf } from './notification-of.ts';
export type { NotificationSender, OutgoingNotification, UnsubscribeTokens } from './notification-sender.ts';
export type { NewNotificationSecret, NotificationStore } from './notification-store.ts';
export {
  type NewNotificationTarget,
  type NotificationFormat,
  type NotificationTarget,
  notificationBounds,
  notificationChannels,
  notificationFormats,
  notificationSecretOwner,
  openUrl,
  type StoredUrl,
} from './notification-target.ts';
export { replayDeliveries, replayDelivery, requireDelivery, sendTestNotification } from './replay-deliveries.ts';
export { unsubscribe } from './unsubscribe.ts';
