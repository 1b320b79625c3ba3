import type { EncryptedToken } from '../account/token-cipher.ts';
import type { NewAuditEntry } from '../audit/audit-catalog.ts';
import type { UserId } from '../id/id.ts';
import type { Page, PageRequest } from '../request/page.ts';
import type { Delivery, DeliveryStatus } from './delivery.ts';
import type { StoredNotification } from './notification-catalog.ts';
import type {
  NewNotificationTarget,
  NotificationSecret,
  NotificationTarget,
  NotificationTargetPatch,
} from './notification-target.ts';

export interface NewNotificationSecret {
  readonly id: string;
  readonly encryptedToken: EncryptedToken;
}

type CreateTargetOutcome =
  | { readonly kind: 'created'; readonly target: NotificationTarget }
  /** The user has `notificationBounds.targets` of them. */
  | { readonly kind: 'full' }
  /** The user has a target for their e-mail address already. */
  | { readonly kind: 'email_exists'; readonly targetId: string };

interface DeliveryQuery extends PageRequest {
  readonly targetId: string;
  readonly status?: DeliveryStatus | undefined;
}

/** The deliveries of a target that are repeated: those that ended and were created in this time. */
export interface ReplayRange {
  readonly from: Date;
  readonly before: Date;
  /** Only those that were given up, and whose message was not delivered by a replay. */
  readonly onlyGivenUp: boolean;
}

/** Notification targets with their secrets and deliveries, as their users see and change them. */
export interface NotificationStore {
  /** Creates a target with its first secret; `secret` is null for `email`. */
  createTarget(
    target: NewNotificationTarget,
    secret: NewNotificationSecret | null,
    audit?: NewAuditEntry,
  ): Promise<CreateTargetOutcome>;
  target(id: string): Promise<NotificationTarget | null>;
  /** All of a user's, newest first. */
  targets(userId: UserId): Promise<readonly NotificationTarget[]>;
  /** Disabling gives up the pending deliveries. Null when there is no such target. */
  updateTarget(id: string, patch: NotificationTargetPatch, audit?: NewAuditEntry): Promise<NotificationTarget | null>;
  /** Deletes the target with its secrets and deliveries. False when there is no such target. */
  removeTarget(id: string, audit?: NewAuditEntry): Promise<boolean>;

  /** Lists the secrets that sign, newest first. */
  secrets(targetId: string): Promise<readonly NotificationSecret[]>;
  /**
   * Adds a secret. Those before it sign until `expireOldAt` at the latest, and the oldest go where there would be more than
   * `notificationBounds.secrets`. False when there is no such target.
   */
  addSecret(
    targetId: string,
    secret: NewNotificationSecret,
    options: { readonly expireOldAt: Date; readonly audit?: NewAuditEntry },
  ): Promise<boolean>;

  /** Newest first. @throws AppError `cursor_invalid` */
  deliveries(query: DeliveryQuery): Promise<Page<Delivery>>;
  delivery(id: string): Promise<Delivery | null>;
  /** Adds a test for the target. @throws AppError `notification_target_not_found` */
  addTest(
    targetId: string,
    delivery: { readonly id: string; readonly notification: StoredNotification },
  ): Promise<Delivery>;
  /** Repeats a delivery that has ended, under its message id. Null when there is none, or the message is pending. */
  replay(deliveryId: string, newId: string): Promise<Delivery | null>;
  /**
   * Repeats the deliveries of a range in their order, each message once, up to `notificationBounds.replayed`; not those whose
   * message is pending.
   *
   * @param nextId makes the id of each new delivery
   * @returns their number, and the creation time of the first one that was left out, or null
   */
  replayRange(
    targetId: string,
    range: ReplayRange,
    nextId: () => string,
  ): Promise<{ readonly replayed: number; readonly nextFrom: Date | null }>;
}
