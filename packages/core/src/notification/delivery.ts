import type { IssueId } from '../id/id.ts';
import type { StoredNotification } from './notification-catalog.ts';

export const deliveryStatuses = ['pending', 'delivered', 'given_up'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One notification for one target, with how far its delivery has come. */
export interface Delivery {
  readonly id: string;
  /** `msg_` and the id of the first delivery: the same in each attempt and replay, so that receivers can tell repetitions. */
  readonly messageId: string;
  /** The delivery that this one repeats, or null. It may have been deleted since. */
  readonly replayOf: string | null;
  readonly targetId: string;
  /** Null for a test. */
  readonly issueId: IssueId | null;
  readonly notification: StoredNotification;
  readonly status: DeliveryStatus;
  /** Attempts that were begun. */
  readonly attempts: number;
  /** When the next attempt is due; null unless it is pending. */
  readonly nextAttemptAt: Date | null;
  /** The HTTP status or SMTP code of the last attempt; null when there was no answer. */
  readonly lastStatus: number | null;
  /** Why the last attempt failed, or why it was given up; null after a success. */
  readonly lastError: string | null;
  /** The time of the last attempt until its answer. */
  readonly latencyMs: number | null;
  readonly createdAt: Date;
  /** The time at which it was delivered or given up. */
  readonly endedAt: Date | null;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The waits after each failed attempt, as Standard Webhooks recommends them: ten attempts over three days. */
const waitsMs = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Spreads the attempts of deliveries that failed together. */
const JITTER = 0.2;
/** A receiver that asks for more is tried by our own schedule. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;
/** Failures without a success after which a target is disabled. */
const FAILING_MS = 7 * 24 * HOUR_MS;

/** The result of one attempt. */
export type AttemptResult = {
  readonly status: number | null;
  /** Null when nothing was sent, for a reason that the receiver has no part in. */
  readonly latencyMs: number | null;
} & (
  | { readonly kind: 'accepted' }
  | {
      readonly kind: 'refused';
      /** A sentence for the user. */
      readonly reason: string;
      /** `later` unless no further attempt can succeed; `gone`: nor can that of any other delivery, so the target is disabled. */
      readonly retry: 'later' | 'never' | 'gone';
      /** When the receiver asked to be tried again; null where it did not. */
      readonly retryAfterMs: number | null;
    }
);

/** What an attempt leads to. */
export interface AttemptEnd {
  readonly status: DeliveryStatus;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  /** Null when nothing was sent: then the target is not said to fail. */
  readonly latencyMs: number | null;
  /** For `pending`. */
  readonly retryInMs: number;
  /** Disables the target, for this reason. */
  readonly disable: string | null;
}

/**
 * Decides what follows an attempt.
 *
 * @param random from 0 to 1, for the jitter
 */
export function endOfAttempt(
  { attempts, failingSince }: { readonly attempts: number; readonly failingSince: Date | null },
  result: AttemptResult,
  { now, random }: { readonly now: Date; readonly random: number },
): AttemptEnd {
  const latencyMs = result.latencyMs === null ? null : Math.round(result.latencyMs);
  const common = { lastStatus: result.status, latencyMs, retryInMs: 0, disable: null };
  if (result.kind === 'accepted') return { ...common, status: 'delivered', lastError: null };
  const failed = { ...common, status: 'given_up', lastError: result.reason } as const;
  if (result.retry === 'gone') return { ...failed, disable: result.reason };
  const isWeek = latencyMs !== null && failingSince !== null && now.getTime() - failingSince.getTime() >= FAILING_MS;
  if (isWeek) return { ...failed, disable: `${A_WEEK} ${result.reason}` };
  const waitMs = waitsMs[attempts - 1];
  if (result.retry === 'never' || waitMs === undefined) return failed;
  const requestedMs = result.retryAfterMs === null ? 0 : Math.min(result.retryAfterMs, MAX_RETRY_AFTER_MS);
  const retryInMs = Math.max(Math.round(waitMs * (1 + JITTER * random)), requestedMs);
  return { ...failed, status: 'pending', retryInMs };
}

const A_WEEK = 'Every delivery failed for a week. The last reason:';
