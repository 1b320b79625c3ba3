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
  type NotificationTargetChange,
  rotateNotificationSecret,
  type ShownSecret,
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
  notificationCatalog,
  notificationKinds,
  type StoredNotification,
  toNotification,
} from './notification-catalog.ts';
export { mayNotify, type NotifiedIssue, notificationOf } from './notification-of.ts';
export type {
  NotificationSender,
  OutgoingNotification,
  UnsubscribeTokens,
} from './notification-sender.ts';
export type {
  CreateTargetOutcome,
  DeliveryQuery,
  NewNotificationSecret,
  NotificationStore,
  ReplayRange,
} from './notification-store.ts';
export {
  type NewNotificationTarget,
  type NotificationChannel,
  type NotificationFormat,
  type NotificationSecret,
  type NotificationTarget,
  type NotificationTargetPatch,
  notificationBounds,
  notificationChannels,
  notificationFormats,
  notificationSecretOwner,
  openUrl,
  type StoredUrl,
  sealUrl,
} from './notification-target.ts';
export {
  replayDeliveries,
  replayDelivery,
  requireDelivery,
  sendTestNotification,
} from './replay-deliveries.ts';
export { unsubscribe } from './unsubscribe.ts';
