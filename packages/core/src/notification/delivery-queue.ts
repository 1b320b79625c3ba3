import type { User } from '../account/user.ts';
import type { AttemptEnd, Delivery } from './delivery.ts';
import type { NotificationSecret, NotificationTarget } from './notification-target.ts';

/** A delivery that a worker has claimed for a limited time, with what it needs to send it. `attempts` counts this one. */
export interface ClaimedDelivery extends Delivery {
  readonly target: NotificationTarget;
  readonly user: Pick<User, 'id' | 'email'> & { readonly isEnabled: boolean };
  /** The secrets that sign, newest first. */
  readonly secrets: readonly NotificationSecret[];
}

export interface ClaimOptions {
  /** Deliveries at most. */
  readonly limit: number;
  readonly ttlMs: number;
  /** Deliveries of one target at most, together with those in `busy`. */
  readonly perTarget: number;
  /** Deliveries to the targets of one user at most, together with those in `busy`. */
  readonly perUser: number;
  /** The target of each delivery that this process is sending. */
  readonly busy: readonly Pick<NotificationTarget, 'id' | 'userId'>[];
}

/**
 * The deliveries to send. A row is written in the transaction of the event that it tells of. All deliveries of one issue to
 * one target are sent in the order of the events: a delivery is due only when none before it is pending.
 */
export interface DeliveryQueue {
  /** Claims deliveries that are due, the oldest first. Two processes never hold the same one. Counts an attempt of each. */
  claim(owner: string, options: ClaimOptions): Promise<readonly ClaimedDelivery[]>;
  /**
   * Ends a claim with what the attempt led to; does nothing when the claim was lost. Keeps since when the target fails, unless
   * its user changed it during the attempt. A target that is disabled has its waiting deliveries given up, for the same reason.
   */
  settle(
    owner: string,
    delivery: Pick<ClaimedDelivery, 'id' | 'targetId' | 'issueId' | 'target'>,
    end: AttemptEnd,
  ): Promise<void>;
  /** Ends a claim without an attempt. */
  release(owner: string, deliveryId: string): Promise<void>;
  /** Ends every claim. For the only process on a database, when it starts: all holders are dead. @returns their number */
  expireHolds(): Promise<number>;
  /**
   * Deletes up to `limit` deliveries that ended before a time, and secrets that expired before it.
   *
   * @returns whether there may be more
   */
  forget(options: { readonly before: Date; readonly limit: number }): Promise<boolean>;
}
